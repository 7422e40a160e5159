/**
 * Text that rows are looked for by, as PostgreSQL takes it: it refuses NUL. Every stored key and owner is printable, so
 * U+0001 compares with them just alike, and is found as little.
 */
export function keyText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u0001') : text;
}
