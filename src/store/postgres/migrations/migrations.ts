import { FIRST_TABLES } from './0001-first-tables.ts';
import { HISTORY } from './0002-history.ts';
import { DELETED_DOMAINS_BY_TIME } from './0003-deleted-domains-by-time.ts';
import { REVERSED_NAMES } from './0004-reversed-names.ts';
import { UPKEEP_TIME } from './0005-upkeep-time.ts';
import { CHANGE_AUTHORS } from './0006-change-authors.ts';
import { ACCOUNT_USAGE } from './0007-account-usage.ts';
import { ZONE_HASHES } from './0008-zone-hashes.ts';
import { LARGE_WRITE_REST } from './0009-large-write-rest.ts';
import { RESTORED_DOMAINS } from './0010-restored-domains.ts';
import { SIGNED_DOMAINS } from './0011-signed-domains.ts';
import { KEY_ROLLOVERS } from './0012-key-rollovers.ts';
import { AWAITED_DS_RECORDS } from './0013-awaited-ds-records.ts';
import { LIMITED_KEYS } from './0014-limited-keys.ts';
import { PRESIGNED_ZONES } from './0015-presigned-zones.ts';
import { SIGNING_WORK } from './0016-signing-work.ts';
import { PEOPLE } from './0017-people.ts';
import { TRAIL } from './0018-trail.ts';
import { IDENTITIES } from './0019-identities.ts';
import { WITHHELD_DOMAINS } from './0020-withheld-domains.ts';
import { ACCESSES } from './0021-accesses.ts';
import { TRAIL_BY_ACTION } from './0022-trail-by-action.ts';
import { CLAIMS } from './0023-claims.ts';
import { ACCOUNT_STANDING } from './0024-account-standing.ts';

export interface Migration {
  /** Numbered from 1 without gaps; also the version of the tables after the migration. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. A released migration is never edited, and must leave the tables usable for the previous version. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', sql: FIRST_TABLES },
  { number: 2, name: 'history', sql: HISTORY },
  { number: 3, name: 'deleted-domains-by-time', sql: DELETED_DOMAINS_BY_TIME },
  { number: 4, name: 'reversed-names', sql: REVERSED_NAMES },
  { number: 5, name: 'upkeep-time', sql: UPKEEP_TIME },
  { number: 6, name: 'change-authors', sql: CHANGE_AUTHORS },
  { number: 7, name: 'account-usage', sql: ACCOUNT_USAGE },
  { number: 8, name: 'zone-hashes', sql: ZONE_HASHES },
  { number: 9, name: 'large-write-rest', sql: LARGE_WRITE_REST },
  { number: 10, name: 'restored-domains', sql: RESTORED_DOMAINS },
  { number: 11, name: 'signed-domains', sql: SIGNED_DOMAINS },
  { number: 12, name: 'key-rollovers', sql: KEY_ROLLOVERS },
  { number: 13, name: 'awaited-ds-records', sql: AWAITED_DS_RECORDS },
  { number: 14, name: 'limited-keys', sql: LIMITED_KEYS },
  { number: 15, name: 'presigned-zones', sql: PRESIGNED_ZONES },
  { number: 16, name: 'signing-work', sql: SIGNING_WORK },
  { number: 17, name: 'people', sql: PEOPLE },
  { number: 18, name: 'trail', sql: TRAIL },
  { number: 19, name: 'identities', sql: IDENTITIES },
  { number: 20, name: 'withheld-domains', sql: WITHHELD_DOMAINS },
  { number: 21, name: 'accesses', sql: ACCESSES },
  { number: 22, name: 'trail-by-action', sql: TRAIL_BY_ACTION },
  { number: 23, name: 'claims', sql: CLAIMS },
  { number: 24, name: 'account-standing', sql: ACCOUNT_STANDING },
];
