import type { ZoneName } from './domain.ts';
import type { DomainRecord, OwnerKey } from './record.ts';

/** The part of a record that DNS serves. */
export type ServedRecord = Pick<DomainRecord, 'type' | 'ttl' | 'rdata'>;

/** The data of a domain, other than its records, that the nameserver needs. */
export interface ZoneHead {
  readonly domainId: number;
  readonly name: ZoneName;
  readonly serial: number;
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
}

/**
 * The effect of one committed batch on one domain: the new content of every owner that changed, so that it can be applied
 * without reading from the store. Ordered by the feed; followers skip updates whose serial they already have.
 */
export type ZoneUpdate =
  | {
      readonly kind: 'changed';
      readonly head: ZoneHead;
      /** Whether the domain is new to followers. */
      readonly created: boolean;
      readonly owners: readonly OwnerContent[];
    }
  /** Anything may have changed: the follower drops the zone and reads it again when it is needed. */
  | { readonly kind: 'replaced'; readonly head: ZoneHead }
  | { readonly kind: 'deleted'; readonly domainId: number; readonly name: ZoneName };

export interface OwnerContent {
  readonly owner: OwnerKey;
  /** All records of this owner; empty if none are left. */
  readonly records: readonly ServedRecord[];
}
