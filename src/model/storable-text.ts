/**
 * Says why text cannot be kept as it is, or undefined when it can; the end of a sentence that begins with what it is.
 * JSON can carry NUL, which ends text in SQLite's driver and which PostgreSQL refuses: stored, it would come back as
 * another text. TXT content may hold it all the same: the store spells it otherwise.
 */
export function findUnstorableCharacter(text: string): string | undefined {
  const half = findHalfCharacter(text);
  if (half !== undefined) return half;
  return text.includes('\0') ? 'holds a NUL character, which text must not hold' : undefined;
}

/** Like `findUnstorableCharacter`, for half a surrogate pair: JSON can carry one, but no UTF-8 spells it. */
export function findHalfCharacter(text: string): string | undefined {
  return LONE_SURROGATE.test(text) ? 'holds half of a surrogate pair, which is no character' : undefined;
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;
