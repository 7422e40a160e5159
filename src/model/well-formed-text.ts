/**
 * True when the text is made of whole characters. JSON can carry half a surrogate pair (`"\ud83d"`), which no UTF-8 spells:
 * kept, it would come back as another text.
 */
export function isWellFormedText(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;
