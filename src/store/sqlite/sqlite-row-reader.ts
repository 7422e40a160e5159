import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { MAX_ZONE_OCTETS } from '../../model/write-limits.ts';
import { MAX_REWOUND_CHANGES } from '../../writes/rewind-records.ts';
import type { RowReader } from '../../writes/row-reader.ts';
import { isCustomersChange, isCustomersRecord } from '../customers-rows.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { createPeopleFinder } from './sqlite-people.ts';
import { toZoneKey, ZONE_KEY_COLUMNS, type ZoneKeyRow } from '../signing-reads.ts';
import { formatNameserverSet, HOLDS_NAME, parseNameserverSet, sharingQuery } from '../claim-reads.ts';
import * as rows from '../table-rows.ts';

/** Reads the rows that a batch needs, on the writing connection and inside its transaction. */
export function createRowReader(database: SqliteDatabase): RowReader {
  const domain = prepareQuery<rows.HashedDomainRow>(
    database,
    `SELECT ${rows.HASHED_DOMAIN_COLUMNS} FROM domains WHERE name = ?`,
  );
  const record = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.RECORD_COLUMNS} FROM records WHERE domain_id = ? AND id = ?`,
  );
  const owner = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.RECORD_COLUMNS} FROM records INDEXED BY records_by_owner WHERE domain_id = ? AND owner = ?`,
  );
  const someOwners = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.RECORD_COLUMNS} FROM records INDEXED BY records_by_owner
     WHERE domain_id = ? AND owner IN (SELECT value FROM json_each(?))`,
  );
  const ownersAfter = prepareQuery<[owner: OwnerKey, isBare: number]>(
    database,
    `SELECT owner, ${isCustomersRecord('MAX(id)')} FROM records INDEXED BY records_by_owner
     WHERE domain_id = ? AND owner > ? GROUP BY owner ORDER BY owner LIMIT ?`,
  );
  const retiredSerial = prepareQuery<[serial: number]>(
    database,
    'SELECT serial FROM retired_serials WHERE name = ?',
  );
  const zone = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.RECORD_COLUMNS} FROM records WHERE domain_id = ?`,
  );
  const keptOutcome = prepareQuery<rows.OutcomeRow>(
    database,
    `SELECT ${rows.OUTCOME_COLUMNS} FROM idempotency WHERE key_id = ? AND idempotency_key = ?`,
  );
  const readLater = createLaterChanges(database);
  return {
    ...createAccountReader(database),
    findPeople: createPeopleFinder(database),
    findDomain: (name) => optional(domain.get(name), rows.toHashedDomain),
    findRecord: (domainId, recordId) => optional(record.get(domainId, recordId), rows.toRecord),
    recordsAt: (domainId, ownerKey) => owner.all(domainId, ownerKey).map(rows.toRecord),
    recordsAtOwners: (domainId, owners) =>
      someOwners.all(domainId, JSON.stringify(owners)).map(rows.toRecord),
    recordsOf: (domainId) => zone.all(domainId).map(rows.toRecord),
    ownersAfter: (domainId, place, limit) =>
      ownersAfter
        .all(domainId, place, limit)
        .map(([found, isBare]) => ({ owner: found, isBare: isBare === 1 })),
    zoneKeys: createZoneKeysReader(database),
    ...createGeneratedReader(database),
    ...createDeletedReader(database),
    hasForeignBelow: createForeignBelow(database),
    changesLater: readLater,
    findKeptOutcome: (keyId, idempotencyKey) =>
      optional(keptOutcome.get(keyId, idempotencyKey), rows.toKeptOutcome),
    findRetiredSerial: (name: ZoneName) => retiredSerial.get(name)?.[0],
  };
}

function createAccountReader(
  database: SqliteDatabase,
): Pick<
  RowReader,
  | 'findAccount'
  | 'findKey'
  | 'findKeysOfUser'
  | 'findKeysOfAccount'
  | 'operatorsOf'
  | 'domainNamesAfter'
  | 'findQuota'
  | 'findNameservers'
  | 'isNameserverSetTaken'
> {
  const nameservers = prepareQuery<[names: string]>(
    database,
    'SELECT names FROM account_nameservers WHERE account_id = ?',
  );
  const sharing = prepareQuery<[1]>(database, sharingQuery('?', '?'));
  const account = prepareQuery<rows.AccountRow>(
    database,
    `SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts WHERE id = ?`,
  );
  const key = prepareQuery<rows.KeyRow>(database, `SELECT ${rows.KEY_COLUMNS} FROM keys WHERE id = ?`);
  const keysOfUser = prepareQuery<rows.KeyRow>(
    database,
    `SELECT ${rows.KEY_COLUMNS} FROM keys WHERE user_id = ?`,
  );
  const someKeys = prepareQuery<rows.KeyRow>(
    database,
    `SELECT ${rows.KEY_COLUMNS} FROM keys INDEXED BY keys_by_account WHERE ${rows.someKeysOfAccount('?1', '?2')}`,
  );
  const domainNames = prepareQuery<[name: ZoneName]>(
    database,
    'SELECT name FROM domains INDEXED BY domains_by_account WHERE account_id = ? AND name > ? ORDER BY name LIMIT ?',
  );
  const operators = prepareQuery<[id: string]>(database, rows.operatorsQuery('= ?'));
  const quota = prepareQuery<rows.QuotaRow>(
    database,
    `SELECT ${rows.QUOTA_COLUMNS} FROM ${rows.QUOTA_TABLES} WHERE accounts.id = ?`,
  );
  return {
    findAccount: (id) => optional(account.get(id), rows.toAccount),
    findKeysOfUser: (userId) => keysOfUser.all(userId).map(rows.toKey),
    findKeysOfAccount: (accountId, onlyManaging) =>
      someKeys.all(accountId, Number(onlyManaging)).map(rows.toKey),
    domainNamesAfter: (accountId, after, limit) =>
      domainNames.all(accountId, after, limit).map(([name]) => name),
    operatorsOf: (accountId) => operators.all(accountId).map(([id]) => id),
    findKey: (id) => optional(key.get(id), rows.toKey),
    findQuota: (accountId) => optional(quota.get(accountId), rows.toQuota),
    findNameservers: (accountId) =>
      optional(nameservers.get(accountId), ([names]) => parseNameserverSet(names)),
    isNameserverSetTaken: (names, accountId) =>
      sharing.get(formatNameserverSet(names), accountId) !== undefined,
  };
}

/** Returns the keys of a domain, the oldest first: ids are UUIDv7. */
function createZoneKeysReader(database: SqliteDatabase): RowReader['zoneKeys'] {
  const keys = prepareQuery<ZoneKeyRow>(
    database,
    `SELECT ${ZONE_KEY_COLUMNS} FROM zone_keys WHERE domain_id = ? ORDER BY id`,
  );
  return (domainId) => keys.all(domainId).map(toZoneKey);
}

function createGeneratedReader(
  database: SqliteDatabase,
): Pick<RowReader, 'generatedBefore' | 'generatedAfter' | 'generatedBetween'> {
  const select = `SELECT ${rows.RECORD_COLUMNS} FROM records WHERE domain_id = ?`;
  const before = prepareQuery<rows.RecordRow>(
    database,
    `${select} AND id >= ? AND id < ? ORDER BY id DESC LIMIT 1`,
  );
  const after = prepareQuery<rows.RecordRow>(database, `${select} AND id > ? AND id < ? ORDER BY id LIMIT 1`);
  const between = prepareQuery<rows.RecordRow>(
    database,
    `${select} AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
  );
  return {
    generatedBefore: (domainId, prefix, id) => optional(before.get(domainId, prefix, id), rows.toRecord),
    // A tilde sorts after everything that follows a prefix.
    generatedAfter: (domainId, prefix, id) => optional(after.get(domainId, id, `${prefix}~`), rows.toRecord),
    generatedBetween: (domainId, from, to, limit) =>
      between.all(domainId, from, to, limit).map(rows.toRecord),
  };
}

function createDeletedReader(
  database: SqliteDatabase,
): Pick<RowReader, 'findLastDeleted' | 'findDeletedDomain' | 'findHolder'> {
  const lastDeleted = prepareQuery<rows.DeletedDomainRow>(
    database,
    `SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains
     WHERE account_id = ? AND name = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, domain_id DESC LIMIT 1`,
  );
  const deletedDomain = prepareQuery<rows.DeletedDomainRow>(
    database,
    `SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains WHERE domain_id = ? AND deleted_at IS NOT NULL`,
  );
  const holder = prepareQuery<[accountId: string]>(
    database,
    `SELECT account_id FROM deleted_domains
     WHERE name = ? AND deleted_at IS NOT NULL AND ${HOLDS_NAME}
     ORDER BY deleted_at DESC, domain_id DESC LIMIT 1`,
  );
  return {
    findLastDeleted: (name, accountId) => optional(lastDeleted.get(accountId, name), rows.toDeletedDomain),
    findDeletedDomain: (id) => optional(deletedDomain.get(id), rows.toDeletedDomain),
    findHolder: (name) => holder.get(name)?.[0],
  };
}

/** Passes over the names of the account itself, at most as many as it may have, and over unverified ones. */
function createForeignBelow(database: SqliteDatabase): RowReader['hasForeignBelow'] {
  const inRange = 'reversed > ? AND reversed < ? AND reversed_names.account_id <> ?';
  const isStored = `EXISTS (SELECT 1 FROM domains WHERE id = domain_id AND ${HOLDS_NAME})`;
  const existing = prepareQuery<[1]>(
    database,
    `SELECT 1 FROM reversed_names WHERE ${inRange} AND ${isStored} LIMIT 1`,
  );
  const any = prepareQuery<[1]>(
    database,
    `SELECT 1 FROM reversed_names WHERE ${inRange} AND (${isStored} OR EXISTS (
       SELECT 1 FROM deleted_domains WHERE deleted_domains.domain_id = reversed_names.domain_id
         AND deleted_at IS NOT NULL AND ${HOLDS_NAME})) LIMIT 1`,
  );
  return (name, accountId, alsoHeld) => {
    const reversed = Buffer.from(name, 'latin1').reverse().toString('latin1');
    // The slash follows the dot in ASCII: all names that end in a dot and the name, and no others.
    const found = (alsoHeld ? any : existing).get(`${reversed}.`, `${reversed}/`, accountId);
    return found !== undefined;
  };
}

/** Reads the changes of a domain after a serial, as far as the feed keeps them. */
function createLaterChanges(database: SqliteDatabase): RowReader['changesLater'] {
  const steps = rows.serialStepsSql('?2', 'serial');
  const isLater = `${steps} BETWEEN 1 AND 2147483647 AND ${isCustomersChange()}`;
  const later = prepareQuery<rows.PastChangeRow>(
    database,
    `SELECT ${rows.pastChangeColumns} FROM changes INDEXED BY changes_by_domain
     WHERE domain_id = ?1 AND ${isLater} ORDER BY seq LIMIT ${MAX_REWOUND_CHANGES + 1}`,
  );
  const notLater = prepareQuery<[1]>(
    database,
    `SELECT 1 FROM changes INDEXED BY changes_by_domain
     WHERE domain_id = ?1 AND NOT ${steps} BETWEEN 1 AND 2147483647 ORDER BY seq LIMIT 1`,
  );
  const laterOctets = prepareQuery<[octets: number]>(
    database,
    `SELECT coalesce(sum(octets), 0) FROM (SELECT octets FROM changes INDEXED BY changes_by_domain
       WHERE domain_id = ?1 AND ${isLater} LIMIT ${MAX_REWOUND_CHANGES + 1})`,
  );
  return (domainId, serial) => {
    const reachesBack = notLater.get(domainId, serial) !== undefined;
    const octets = laterOctets.get(domainId, serial)?.[0] ?? 0;
    if (octets > MAX_ZONE_OCTETS) return { changes: [], reachesBack, isTooLong: true };
    return { changes: later.all(domainId, serial).map(rows.toPastChange), reachesBack };
  };
}

function optional<Row, T>(row: Row | undefined, convert: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : convert(row);
}
