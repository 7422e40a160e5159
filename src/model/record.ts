declare const ownerKey: unique symbol;

/**
 * A record's owner relative to its domain, in the one spelling used for comparing: lower-case presentation form with
 * the fewest escapes, no trailing dot, `''` for the apex. Comes only from `parseRecordName`.
 */
export type OwnerKey = string & { readonly [ownerKey]: true };

/** A record (one resource record, not a set) as it is stored. */
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
  /** Echoed; on MX and SRV the preference or priority; -1 elsewhere unless given. */
  readonly priority: number;
  /** Seconds, 1…2147483647. */
  readonly ttl: number;
  /** RDATA in uncompressed wire form, without its length. */
  readonly rdata: Uint8Array;
}

/** A record as a command brings it. */
export interface SentRecord extends DomainRecord {
  readonly asShown?: AsShown;
}

/**
 * Marks data that also shows a content which text cannot write, or no longer: a record that stands there and shows just
 * so is meant (contract rule 25).
 */
export interface AsShown {
  /** Why there can be no new record with it; its content is empty then. */
  readonly problem?: string;
}
