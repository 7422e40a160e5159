import type { FieldCodec } from './field-codec.ts';

/**
 * The single declaration of a record type. rdata.ts derives everything else from it: reading and writing text and wire
 * form, checks, canonical form, compression and additional data. Forms and help texts use it as well.
 */
export interface RecordType {
  readonly number: number;
  readonly mnemonic: string;
  /** `RFC 1035 section 3.3.9`. */
  readonly reference: string;
  /** One sentence for users: the purpose of such a record. */
  readonly help: string;
  /** Data in canonical presentation form. */
  readonly example: string;
  /** In the order of the text and wire forms. */
  readonly fields: readonly Field[];
  /** The field that holds a name whose addresses belong in the additional section. */
  readonly additional?: string;
  /** Created by the service (DNSSEC, SOA); customers cannot write it. */
  readonly serviceOwned?: boolean;
  /** Checks rules between fields, on data whose fields are valid. Returns a whole sentence. */
  checkTogether?(rdata: Uint8Array): string | undefined;
}

export interface Field {
  /** The RFC's name in lower case: `preference`. */
  readonly name: string;
  readonly codec: FieldCodec;
  /** A domain name that messages may compress: types of RFC 1035 only (RFC 3597 section 4). */
  readonly compressed?: boolean;
  /** A domain name in lower case in the canonical form (RFC 4034 section 6.2, RFC 6840 section 5.1). */
  readonly lowerCased?: boolean;
}
