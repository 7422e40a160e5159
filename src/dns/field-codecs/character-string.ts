/** Text fields: one character-string, several, or plain text up to the data's end. */
import type { ByteWriter } from '../../base/byte-writer.ts';
import { formatQuoted, MAX_CHARACTER_STRING_OCTETS, writeSpelledOctets } from '../character-strings.ts';
import { missing, type FieldCodec } from '../field-codec.ts';
import type { Token } from '../tokens.ts';

const STRING = `a character-string of at most ${MAX_CHARACTER_STRING_OCTETS} octets, in quotes if it has spaces`;

export const characterString: FieldCodec = {
  kind: 'character-string',
  expects: STRING,
  parse(tokens, wire) {
    const token = tokens.next();
    return token === undefined ? missing(STRING) : writeCharacterString(token, wire);
  },
  check(wire) {
    wire.skip(wire.u8());
    return undefined;
  },
  format: (wire) => formatQuoted(wire.take(wire.u8())),
};

/** One or more strings, to the end of the data. */
export const characterStrings: FieldCodec = {
  kind: 'character-strings',
  expects: 'one or more character-strings of at most 255 octets each, in quotes if they have spaces',
  parse(tokens, wire) {
    let token = tokens.next();
    if (token === undefined) return missing(this.expects);
    for (; token !== undefined; token = tokens.next()) {
      const problem = writeCharacterString(token, wire);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  check(wire) {
    do wire.skip(wire.u8());
    while (wire.remaining > 0);
    return undefined;
  },
  format(wire) {
    const strings: string[] = [];
    while (wire.remaining > 0) strings.push(formatQuoted(wire.take(wire.u8())));
    return strings.join(' ');
  },
};

/** Text without a length octet, to the end of the data. */
export const remainingText: FieldCodec = {
  kind: 'remaining text',
  expects: 'text, in quotes if it has spaces or semicolons',
  parse(tokens, wire) {
    const token = tokens.next();
    if (token === undefined) return missing(this.expects);
    writeSpelledOctets(token.text, wire);
    return undefined;
  },
  check(wire) {
    wire.rest();
    return undefined;
  },
  format: (wire) => formatQuoted(wire.rest()),
};

function writeCharacterString(token: Token, wire: ByteWriter): string | undefined {
  const lengthAt = wire.length;
  wire.u8(0);
  writeSpelledOctets(token.text, wire);
  const octets = wire.length - lengthAt - 1;
  if (octets > MAX_CHARACTER_STRING_OCTETS) {
    return `has a string of ${octets} octets, the limit is ${MAX_CHARACTER_STRING_OCTETS}`;
  }
  wire.patchU8(lengthAt, octets);
  return undefined;
}
