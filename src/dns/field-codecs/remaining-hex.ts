/** Octets in hex to the end of the data, at least one; blanks between groups are allowed. */
import { missing, type FieldCodec } from '../field-codec.ts';
import { formatHex, parseHex } from '../hex.ts';

export const remainingHex: FieldCodec = {
  kind: 'remaining hex',
  expects: 'hex digits, two for each octet',
  parse(tokens, wire) {
    const words = tokens.joinWords();
    if (words === undefined) return `must not be in quotes: ${this.expects}`;
    if (words === '') return missing(this.expects);
    const octets = parseHex(words);
    if (!octets.ok) return `is not ${this.expects}: ${octets.problem}`;
    wire.bytes(octets.value);
    return undefined;
  },
  check: (wire) => (wire.rest().length === 0 ? 'is empty' : undefined),
  format: (wire) => formatHex(wire.rest()).toUpperCase(),
};
