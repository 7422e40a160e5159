import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ZoneHead } from '../model/zone-update.ts';

/** What stands in the feed: one row changed, in one domain, at one serial. */
export interface Change {
  /** Gap-free, rising by one. */
  readonly seq: number;
  readonly domainId: number;
  readonly domain: ZoneName;
  readonly serial: number;
  readonly atMs: number;
  readonly keyId: string;
  readonly kind: 'domainPut' | 'domainDelete' | 'recordPut' | 'recordDelete';
  /** With recordPut the row as it is now, with recordDelete as it was (an update is a delete and a put). */
  readonly record: DomainRecord | null;
  /** With domainPut. */
  readonly head: ZoneHead | null;
}
