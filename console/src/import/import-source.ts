// The text that is imported, which somebody has typed, pasted or dropped, and how.

/** Other records stay; they are deleted; or the file is served as another signer has signed it (contract rule 70). */
export type ImportWay = 'add' | 'replace' | 'presigned';

export interface ImportSource {
  readonly text: string;
  /** The name of the file; undefined: it was typed or pasted. */
  readonly fileName: string | undefined;
  readonly way: ImportWay;
}

export const emptySource: ImportSource = { text: '', fileName: undefined, way: 'add' };

/** A text field with more becomes slow; a larger file is shown by its name. */
export const MAX_EDITABLE_CHARACTERS = 200_000;

/** The largest zone file that the service takes (contract rule 39). */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Returns where a line begins and ends, to select it. @param line counted from 1 */
export function findLine(text: string, line: number): { readonly start: number; readonly end: number } {
  let start = 0;
  for (let before = 1; before < line; before++) {
    const next = text.indexOf('\n', start);
    if (next === -1) return { start, end: text.length };
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}
