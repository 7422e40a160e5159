// The basis of a decision outside the writer: the rows that it read to get there. The writer reads them again and compares.
//
// Records, signatures and keys are left out, because a domain's serial rises with every change of them: the row of the
// domain stands for them. Limits and usage are left out, too; they are checked again (`rebaseWrites`). Of the row that has
// them, the basis has only whether the account is suspended. Deleted domains that are sought are left
// out, because only restoring seeks them, which is never prepared.
import type { ApiKey } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import type { StoredQuota } from './check-quotas.ts';
import type { KeptOutcome } from './kept-outcome.ts';
import type { RowReader } from './row-reader.ts';

/** The reads that are compared, with their arguments as plain data. */
type ComparedRead =
  | 'findAccount'
  | 'findKey'
  | 'findQuota'
  | 'findDomain'
  | 'findRetiredSerial'
  | 'findHolder'
  | 'hasForeignBelow'
  | 'findKeptOutcome';

/** One read and what it found, as plain data: it crosses threads. */
export interface BasisEntry {
  readonly read: ComparedRead;
  readonly args: readonly (string | number | boolean)[];
  /** JSON; empty if nothing was found. */
  readonly found: string;
}

export type DecisionBasis = readonly BasisEntry[];

export interface RecordedReads {
  /** Passes every call on. */
  readonly reader: RowReader;
  /** Grows with every call. */
  readonly basis: DecisionBasis;
}

/** Notes what a decision reads. */
export function recordReads(rows: RowReader): RecordedReads {
  const basis: BasisEntry[] = [];
  const noted =
    <Args extends readonly (string | number | boolean)[], Found>(
      read: ComparedRead,
      find: (...args: Args) => Found,
    ) =>
    (...args: Args): Found => {
      const found = find(...args);
      basis.push({ read, args, found: textOf(found) });
      return found;
    };
  const reader: RowReader = {
    // Commands about people, and about the life of accounts, are never prepared.
    findPeople: (table, lookUp, value) => rows.findPeople(table, lookUp, value),
    findKeysOfUser: (userId) => rows.findKeysOfUser(userId),
    findKeysOfAccount: (accountId, onlyManaging) => rows.findKeysOfAccount(accountId, onlyManaging),
    operatorsOf: (accountId) => rows.operatorsOf(accountId),
    domainNamesAfter: (accountId, after, limit) => rows.domainNamesAfter(accountId, after, limit),
    findNameservers: (accountId) => rows.findNameservers(accountId),
    isNameserverSetTaken: (names, accountId) => rows.isNameserverSetTaken(names, accountId),
    findQuota: (accountId) => {
      const quota = rows.findQuota(accountId);
      basis.push({ read: 'findQuota', args: [accountId], found: textOfStanding(quota) });
      return quota;
    },
    findRecord: (domainId, recordId) => rows.findRecord(domainId, recordId),
    recordsAt: (domainId, owner) => rows.recordsAt(domainId, owner),
    recordsAtOwners: (domainId, owners) => rows.recordsAtOwners(domainId, owners),
    ownersAfter: (domainId, place, limit) => rows.ownersAfter(domainId, place, limit),
    recordsOf: (domainId) => rows.recordsOf(domainId),
    generatedBefore: (domainId, prefix, id) => rows.generatedBefore(domainId, prefix, id),
    generatedAfter: (domainId, prefix, id) => rows.generatedAfter(domainId, prefix, id),
    generatedBetween: (domainId, from, to, limit) => rows.generatedBetween(domainId, from, to, limit),
    zoneKeys: (domainId) => rows.zoneKeys(domainId),
    changesLater: (domainId, serial) => rows.changesLater(domainId, serial),
    findAccount: noted('findAccount', (id: string) => rows.findAccount(id)),
    findKey: (id) => {
      const key = rows.findKey(id);
      basis.push({ read: 'findKey', args: [id], found: textOfKey(key) });
      return key;
    },
    findDomain: noted('findDomain', (name: ZoneName) => rows.findDomain(name)),
    findRetiredSerial: noted('findRetiredSerial', (name: ZoneName) => rows.findRetiredSerial(name)),
    findLastDeleted: (name, accountId) => rows.findLastDeleted(name, accountId),
    findDeletedDomain: (id) => rows.findDeletedDomain(id),
    findHolder: noted('findHolder', (name: ZoneName) => rows.findHolder(name)),
    hasForeignBelow: noted('hasForeignBelow', (name: ZoneName, accountId: string, alsoHeld: boolean) =>
      rows.hasForeignBelow(name, accountId, alsoHeld),
    ),
    findKeptOutcome: (keyId, idempotencyKey) => {
      const kept = rows.findKeptOutcome(keyId, idempotencyKey);
      basis.push({ read: 'findKeptOutcome', args: [keyId, idempotencyKey], found: textOfOutcome(kept) });
      return kept;
    },
  };
  return { reader, basis };
}

/** True if every read finds now what it found then. */
export function isUnmoved(basis: DecisionBasis, rows: RowReader): boolean {
  return basis.every((entry) => readAgain(entry, rows) === entry.found);
}

/** Makes a read of the basis again, and returns what it finds in the form of `BasisEntry.found`. */
export function readAgain({ read, args }: BasisEntry, rows: RowReader): string {
  return finders[read](rows, args as never);
}

type Find<Args extends readonly unknown[]> = (rows: RowReader, args: Args) => string;

const finders = {
  findAccount: (rows, [id]) => textOf(rows.findAccount(id)),
  findKey: (rows, [id]) => textOfKey(rows.findKey(id)),
  findQuota: (rows, [accountId]) => textOfStanding(rows.findQuota(accountId)),
  findDomain: (rows, [name]) => textOf(rows.findDomain(name)),
  findRetiredSerial: (rows, [name]) => textOf(rows.findRetiredSerial(name)),
  findHolder: (rows, [name]) => textOf(rows.findHolder(name)),
  hasForeignBelow: (rows, [name, accountId, alsoHeld]) =>
    textOf(rows.hasForeignBelow(name, accountId, alsoHeld)),
  findKeptOutcome: (rows, [keyId, key]) => textOfOutcome(rows.findKeptOutcome(keyId, key)),
} satisfies { [Read in ComparedRead]: Find<Parameters<RowReader[Read]>> };

function textOf(found: unknown): string {
  return found === undefined ? '' : JSON.stringify(found);
}

/** No decision rests on the last use of a key, which changes all the time. */
function textOfKey(key: ApiKey | undefined): string {
  return textOf(key && { ...key, usedAtSeconds: undefined });
}

function textOfStanding(quota: StoredQuota | undefined): string {
  return textOf(quota?.standing);
}

/** The outcome itself may have megabytes. */
function textOfOutcome(kept: KeptOutcome | undefined): string {
  return kept === undefined ? '' : JSON.stringify([kept.hash, kept.atMs, kept.accountId, kept.octets]);
}
