/**
 * Says why text cannot be stored unchanged, as the end of a sentence that begins with its name; undefined if it can. JSON
 * can contain NUL, which ends text in SQLite's driver and which PostgreSQL refuses. TXT content may contain it, since the
 * store encodes it.
 */
export function findUnstorableCharacter(text: string): string | undefined {
  const half = findHalfCharacter(text);
  if (half !== undefined) return half;
  return text.includes('\0') ? 'contains a NUL character, which is not allowed' : undefined;
}

/** Like `findUnstorableCharacter`, for half of a surrogate pair, which JSON can contain but UTF-8 cannot. */
export function findHalfCharacter(text: string): string | undefined {
  return LONE_SURROGATE.test(text)
    ? 'contains half of a surrogate pair, which is not a character'
    : undefined;
}

/** The text with U+FFFD in place of what cannot be stored. */
export function asStorableText(text: string): string {
  return text.replaceAll(UNSTORABLE, '\ufffd');
}

const UNSTORABLE = /[\0\ud800-\udfff]/gu;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
