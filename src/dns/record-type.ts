import type { FieldCodec } from './field-codec.ts';

/**
 * The one declaration of a record type. Everything that is done with its data is derived from it (rdata.ts): text and
 * wire in and out, checks, canonical form, compression, additional data; forms and help read it as well.
 */
export interface RecordType {
  readonly number: number;
  readonly mnemonic: string;
  /** `RFC 1035 section 3.3.9`. */
  readonly reference: string;
  /** One sentence for a person: what one writes such a record for. */
  readonly help: string;
  /** Data in presentation form, canonical spelling. */
  readonly example: string;
  /** In the order of text and of wire. */
  readonly fields: readonly Field[];
  /** The field with a name whose addresses belong into the additional section. */
  readonly additional?: string;
  /** Made by the service (DNSSEC, SOA); customers can't write it. */
  readonly serviceOwned?: boolean;
  /** Rules that tie fields together, on data whose fields passed. Returns a whole sentence. */
  checkTogether?(rdata: Uint8Array): string | undefined;
}

export interface Field {
  /** As the RFC names it, in lower case: `preference`. */
  readonly name: string;
  readonly codec: FieldCodec;
  /** A domain name that messages may compress: only types of RFC 1035 (RFC 3597 section 4). */
  readonly compressed?: boolean;
  /** A domain name that is lower-cased in canonical form (RFC 4034 section 6.2, RFC 6840 section 5.1). */
  readonly lowerCased?: boolean;
}
