/** The tag of a CAA record: ASCII letters and digits with a length octet (RFC 8659 section 4.1). */
import { oneWord } from '../field-codec.ts';

export const propertyTag = oneWord({
  kind: 'property tag',
  expects: 'a tag of letters and digits such as issue',
  parseWord(word, wire) {
    if (word.length > 255 || !/^[A-Za-z0-9]+$/.test(word)) return false;
    wire.u8(word.length);
    for (let at = 0; at < word.length; at++) wire.u8(word.charCodeAt(at));
    return true;
  },
  check(wire) {
    const tag = wire.take(wire.u8());
    return tag.length > 0 && tag.every(isLetterOrDigit) ? undefined : 'must consist of letters and digits';
  },
  format: (wire) => String.fromCharCode(...wire.take(wire.u8())),
});

function isLetterOrDigit(octet: number): boolean {
  const lower = octet | 0x20;
  return (octet >= 0x30 && octet <= 0x39) || (octet >= 0x40 && lower >= 0x61 && lower <= 0x7a);
}
