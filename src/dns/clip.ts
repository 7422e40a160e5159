/** Longest piece of user input repeated in a message; contract rule 7 keeps whole messages under 512 bytes. */
const SHOWN_CHARACTERS = 60;

/** Quotes the text for use in a message, shortened, with `?` in place of unprintable characters. */
export function clip(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown.replace(/\p{C}/gu, '?'));
}
