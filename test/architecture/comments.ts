export interface CommentLine {
  /** Without the comment signs and the space around it. */
  readonly text: string;
  readonly line: number;
}

/** The paragraphs of all comments of a TypeScript file, one entry a line of the source. */
export function findComments(source: string): CommentLine[] {
  return [...source.matchAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm)].flatMap((match) => {
    const first = source.slice(0, match.index).split('\n').length;
    return match[0].split('\n').map((text, index) => ({
      text: text.replace(/^\s*(\/\*\*?|\/\/|\*\/?)\s?|\s*\*\/$/g, ''),
      line: first + index,
    }));
  });
}
