/**
 * Makes a search key acceptable to PostgreSQL, which rejects NUL. Stored keys and owners are printable, so U+0001 instead of
 * NUL sorts the same and matches nothing either.
 */
export function keyText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u0001') : text;
}
