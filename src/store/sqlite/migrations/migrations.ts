import { FIRST_TABLES } from './0001-first-tables.ts';
import { CHANGES_BY_DOMAIN } from './0002-changes-by-domain.ts';
import { HISTORY } from './0003-history.ts';
import { DELETED_DOMAINS_BY_TIME } from './0004-deleted-domains-by-time.ts';
import { REVERSED_NAMES } from './0005-reversed-names.ts';
import { UPKEEP_TIME } from './0006-upkeep-time.ts';
import { CHANGE_AUTHORS } from './0007-change-authors.ts';
import { ACCOUNT_USAGE } from './0008-account-usage.ts';
import { ZONE_HASHES } from './0009-zone-hashes.ts';
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
  /** Numbered from 1 without gaps; also the version of the store (`user_version`) after the migration. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. A released migration is never edited. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', sql: FIRST_TABLES },
  { number: 2, name: 'changes-by-domain', sql: CHANGES_BY_DOMAIN },
  { number: 3, name: 'history', sql: HISTORY },
  { number: 4, name: 'deleted-domains-by-time', sql: DELETED_DOMAINS_BY_TIME },
  { number: 5, name: 'reversed-names', sql: REVERSED_NAMES },
  { number: 6, name: 'upkeep-time', sql: UPKEEP_TIME },
  { number: 7, name: 'change-authors', sql: CHANGE_AUTHORS },
  { number: 8, name: 'account-usage', sql: ACCOUNT_USAGE },
  { number: 9, name: 'zone-hashes', sql: ZONE_HASHES },
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
