declare const ownerKey: unique symbol;

/**
 * A record's owner relative to its domain, in the form that is compared: lower-case presentation form with the fewest
 * escapes, no trailing dot, `''` for the apex. Comes only from `parseRecordName`.
 */
export type OwnerKey = string & { readonly [ownerKey]: true };

/** A stored record: one resource record, not a set. */
export interface DomainRecord {
  /** UUIDv7. */
  readonly id: string;
  readonly owner: OwnerKey;
  /** The name as the interface shows it (case as given; contract rule 21). */
  readonly name: string;
  /** RR type number. */
  readonly type: number;
  /** The data as the interface shows it (contract rules 24, 25). */
  readonly data: string;
  /** The preference or priority of MX and SRV; on other types the number that was given, or -1. */
  readonly priority: number;
  /** Seconds, 1…2147483647. */
  readonly ttl: number;
  /** RDATA in uncompressed wire form, without its length. */
  readonly rdata: Uint8Array;
}

/** A record in a command. */
export interface SentRecord extends DomainRecord {
  readonly asShown?: AsShown;
}

/**
 * Marks data that does not say everything of the content (TXT): it means an existing record that is shown in just that
 * way, and only if there is none the content that it spells (contract rule 25).
 */
export interface AsShown {
  /** Present if no new record can have this data; says why. The content is empty then. */
  readonly problem?: string;
}
