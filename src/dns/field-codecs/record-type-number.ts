/** One record type, by mnemonic or `TYPEnnn`. */
import { oneWord } from '../field-codec.ts';
import { formatRecordType, isDataType, parseRecordType } from '../type-mnemonic.ts';

export const recordTypeNumber = oneWord({
  kind: 'record type',
  expects: 'a record type such as MX or TYPE65280',
  parseWord(word, wire) {
    const type = parseRecordType(word);
    if (type === undefined) return false;
    wire.u16(type);
    return true;
  },
  check(wire) {
    const type = wire.u16();
    return isDataType(type) ? undefined : `is ${formatRecordType(type)}, which is not a data type`;
  },
  format: (wire) => formatRecordType(wire.u16()),
});
