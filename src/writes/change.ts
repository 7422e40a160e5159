import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ZoneHead } from '../model/zone-update.ts';

/**
 * A domainWithhold ends the answers for a domain, which stays in the store, and a domainRelease lets them begin again. A
 * domainRestore brings a deleted domain back, under its id and with all records that it had when it was deleted: they have
 * no entries of their own.
 */
export type ChangeKind =
  | 'domainPut'
  | 'domainDelete'
  | 'domainRestore'
  | 'domainWithhold'
  | 'domainRelease'
  | 'recordPut'
  | 'recordDelete';

/** An entry of the feed: a change of one row, in one domain, at one serial. */
export interface Change {
  /** Rises by one, without gaps. */
  readonly seq: number;
  readonly domainId: number;
  readonly domain: ZoneName;
  readonly serial: number;
  readonly atMs: number;
  readonly keyId: string;
  readonly kind: ChangeKind;
  /** The new row of a recordPut, the old row of a recordDelete. An update is a delete and a put. */
  readonly record: DomainRecord | null;
  /** Present with domainPut and domainRestore. */
  readonly head: ZoneHead | null;
}
