import type { ByteReader } from '../base/byte-reader.ts';
import type { ByteWriter } from '../base/byte-writer.ts';
import { clip } from './clip.ts';
import type { DomainName } from './name.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * Converts one field of a record's data between text and wire form. Stateless. A problem completes a sentence that
 * begins with "the <field>", such as `must be an integer, not "x"`.
 */
export interface FieldCodec {
  /** Name of the codec; tests generate values by it. */
  readonly kind: string;
  /** Describes valid text, for forms and messages: `an IPv4 address`. */
  readonly expects: string;
  /** Text to wire: consumes the field's tokens and appends its octets. Returns the problem with the text, if any. */
  parse(tokens: TokenReader, wire: ByteWriter): string | undefined;
  /** Skips the field on the wire and returns its problem, if any. The caller detects reads past the end. */
  check(wire: ByteReader): string | undefined;
  /** Wire to text, for a field that passed `check`. */
  format(wire: ByteReader): string;
}

/** A codec for exactly one unquoted word. */
export interface WordCodec extends Omit<FieldCodec, 'parse'> {
  /** Appends the word's octets. Returns true, a problem, or false for the standard problem "must be …". */
  parseWord(word: string, wire: ByteWriter, origin: DomainName | undefined): string | boolean;
}

/** Turns a word codec into a field codec with uniform problems for missing, quoted and invalid words. */
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
  return `is missing: it must be ${expects}`;
}

export function isNot(expects: string, text: string): string {
  return `must be ${expects}, not ${clip(text)}`;
}
