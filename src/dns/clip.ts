/** Longest piece of foreign text a message repeats; contract rule 7 holds whole messages under 512 bytes. */
const SHOWN_CHARACTERS = 60;

/** The text in quotes, cut to a length that fits into a message, with `?` for what is not printable. */
export function clip(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown.replace(/\p{C}/gu, '?'));
}
