// Anything that JSON must escape, and surrogates, which may be unpaired.
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON text. Same result as `JSON.stringify`, a few times faster for plain text. */
export function jsonString(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}
