import type { ZoneName } from './domain.ts';
import type { DomainRecord, OwnerKey } from './record.ts';

/** What of a record DNS shows. */
export type ServedRecord = Pick<DomainRecord, 'type' | 'ttl' | 'rdata'>;

/** What the nameserver needs of a domain besides its records. */
export interface ZoneHead {
  readonly domainId: number;
  readonly name: ZoneName;
  readonly serial: number;
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
}

/**
 * One committed batch's effect on one domain: the whole new content of every owner it touched, so that applying it
 * needs no look back at the store. Ordered by the feed; an update whose serial the follower already has is skipped.
 */
export type ZoneUpdate =
  | {
      readonly kind: 'changed';
      readonly head: ZoneHead;
      readonly created: boolean;
      readonly owners: readonly OwnerContent[];
    }
  /** Anything may be different: the follower forgets what it has of the zone, and reads it anew when it is needed. */
  | { readonly kind: 'replaced'; readonly head: ZoneHead }
  | { readonly kind: 'deleted'; readonly domainId: number; readonly name: ZoneName };

export interface OwnerContent {
  readonly owner: OwnerKey;
  /** Everything now at this owner; empty when nothing is left. */
  readonly records: readonly ServedRecord[];
}
