/** Octets in base64 to the end of the data; blanks between groups are allowed. */
import { formatBase64, parseBase64 } from '../base64.ts';
import { missing, type FieldCodec } from '../field-codec.ts';

const EXPECTS = 'base64 with its padding';

/** Requires at least `leastOctets` octets; with 0 the text may be absent. */
export function remainingBase64(leastOctets: number): FieldCodec & { readonly leastOctets: number } {
  return {
    kind: 'remaining base64',
    expects: EXPECTS,
    leastOctets,
    parse(tokens, wire) {
      const words = tokens.joinWords();
      if (words === undefined) return `must not be in quotes: ${EXPECTS}`;
      if (words === '' && leastOctets > 0) return missing(EXPECTS);
      const octets = parseBase64(words);
      if (!octets.ok) return `is not ${EXPECTS}: ${octets.problem}`;
      wire.bytes(octets.value);
      return undefined;
    },
    check(wire) {
      const octets = wire.rest().length;
      return octets < leastOctets ? `has ${octets} octets, at least ${leastOctets} are needed` : undefined;
    },
    format: (wire) => formatBase64(wire.rest()),
  };
}
