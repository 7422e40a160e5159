declare const zoneName: unique symbol;

/** A domain's name as the interface shows it: lower-case A-labels, no trailing dot. Comes only from `parseZoneName`. */
export type ZoneName = string & { readonly [zoneName]: true };

/** A domain (zone) as it is stored. */
export interface Domain {
  /** Given by the store, rising, never used twice. */
  readonly id: number;
  readonly accountId: string;
  readonly name: ZoneName;
  readonly createdAtSeconds: number;
  /** SOA serial, 32 bits unsigned; one step of RFC 1982 arithmetic a committed batch that touches the domain. */
  readonly serial: number;
  /** SOA MNAME as the owner set it (`ns1.example.net`); null: the service's first nameserver. */
  readonly soaPrimary: string | null;
  /** SOA RNAME as a mail address, as the owner set it; null: `hostmaster@` the domain. */
  readonly soaEmail: string | null;
  readonly recordCount: number;
}

/** A domain that was deleted and can be restored. */
export interface DeletedDomain extends Domain {
  /** Of the deletion. */
  readonly serial: number;
  readonly deletedAtMs: number;
}
