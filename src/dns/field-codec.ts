import type { ByteReader } from '../base/byte-reader.ts';
import type { ByteWriter } from '../base/byte-writer.ts';
import { clip } from './clip.ts';
import type { DomainName } from './name.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * How one field of a record's data is written as text and on the wire. Stateless. Problems are the end of a sentence
 * that begins with "the <field>", such as `must be an integer, not "x"`.
 */
export interface FieldCodec {
  /** Names the codec; the tests generate values by it. */
  readonly kind: string;
  /** What the text must be, for forms and messages: `an IPv4 address`. */
  readonly expects: string;
  /** Text in, wire out: takes the field's tokens, appends its octets. Returns what is wrong with the text. */
  parse(tokens: TokenReader, wire: ByteWriter): string | undefined;
  /** Wire in: steps over the field, returns what is wrong with it. Running past the end is the caller's to notice. */
  check(wire: ByteReader): string | undefined;
  /** Wire in, text out, for a field that passed `check`. */
  format(wire: ByteReader): string;
}

/** A codec whose text is exactly one unquoted word. */
export interface WordCodec extends Omit<FieldCodec, 'parse'> {
  /** Appends the word's octets; returns what is wrong, or false for the plain "must be …". */
  parseWord(word: string, wire: ByteWriter, origin: DomainName | undefined): string | boolean;
}

/** Makes a field codec of a word codec: what is missing, quoted or not understood is said the same way for all. */
export function oneWord<C extends WordCodec>(codec: C): C & FieldCodec {
  return {
    ...codec,
    parse(tokens, wire) {
      const token = tokens.next();
      if (token === undefined) return missing(codec.expects);
      if (token.kind === 'quoted') return `must not be in quotes: ${codec.expects}`;
      const result = codec.parseWord(token.text, wire, tokens.origin);
      if (result === true) return undefined;
      return result === false ? isNot(codec.expects, token.text) : result;
    },
  };
}

export function missing(expects: string): string {
  return `must be given: ${expects}`;
}

export function isNot(expects: string, text: string): string {
  return `must be ${expects}, not ${clip(text)}`;
}
