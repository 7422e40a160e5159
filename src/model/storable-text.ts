/**
 * Says why text can't be kept as it is, or undefined when it can; the end of a sentence that begins with what it is.
 * JSON can carry half a surrogate pair, which no UTF-8 spells, and NUL, which ends text in SQLite's driver and which
 * PostgreSQL refuses: stored, both would come back as another text.
 */
export function findUnstorableCharacter(text: string): string | undefined {
  if (LONE_SURROGATE.test(text)) return 'holds half of a surrogate pair, which is no character';
  return text.includes('\0') ? 'holds a NUL character, which text must not hold' : undefined;
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;
