// Characters that JSON must escape, and surrogates, because they may be unpaired.
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Returns the same as `JSON.stringify`, but is a few times faster for plain text. */
export function jsonString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
