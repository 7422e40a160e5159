import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Account, ApiKey } from '../model/account.ts';
import { isUnverified } from '../model/claim.ts';
import type { DeletedDomain, Domain, HashedDomain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { StoredQuota } from './check-quotas.ts';
import { managesAccounts } from './pending-accounts.ts';
import type { PeopleRows, PeopleTable } from './people-rows.ts';
import type { RowReader } from './row-reader.ts';

/** Committed rows of a test, as plain data. */
export interface MemoryRows {
  readonly accounts?: readonly Account[];
  readonly keys?: readonly ApiKey[];
  /** By account id. */
  readonly quotas?: Readonly<Record<string, StoredQuota>>;
  /** By account id. */
  readonly nameservers?: Readonly<Record<string, readonly string[]>>;
  /** Without a hash it is not known. */
  readonly domains?: readonly (Domain & Partial<HashedDomain>)[];
  readonly deletedDomains?: readonly DeletedDomain[];
  /** By the id of the domain. */
  readonly records?: Readonly<Record<number, readonly DomainRecord[]>>;
  /** By the id of the domain. */
  readonly zoneKeys?: Readonly<Record<number, readonly ZoneKey[]>>;
  readonly retiredSerials?: Readonly<Record<ZoneName, number>>;
  readonly people?: { readonly [T in PeopleTable]?: readonly PeopleRows[T][] };
}

/** Reads rows from memory; no history and no outcomes are kept. */
export function readMemoryRows(rows: MemoryRows = {}): RowReader {
  const {
    accounts = [],
    keys = [],
    quotas = {},
    nameservers = {},
    domains = [],
    deletedDomains = [],
    records = {},
    zoneKeys = {},
    retiredSerials = {},
    people = {},
  } = rows;
  const recordsOf = (domainId: number): readonly DomainRecord[] => records[domainId] ?? [];
  return {
    findAccount: (id) => accounts.find((account) => account.id === id),
    findKey: (id) => keys.find((key) => key.id === id),
    findKeysOfUser: (userId) => keys.filter((key) => key.userId === userId),
    findKeysOfAccount: (accountId, onlyManaging) =>
      keys.filter((key) => key.accountId === accountId && (!onlyManaging || managesAccounts(key))),
    domainNamesAfter: (...range) => namesAfter(domains, ...range),
    findPeople: (table, lookUp, value) => findIn(people[table] ?? [], lookUp, value),
    operatorsOf: (accountId) => operatorsIn(people, accountId),
    findQuota: (accountId) => quotas[accountId],
    findNameservers: (accountId) => nameservers[accountId],
    isNameserverSetTaken: (names, accountId) =>
      Object.entries(nameservers).some(([id, given]) => id !== accountId && given.join() === names.join()),
    findDomain(name) {
      const found = domains.find((domain) => domain.name === name);
      return found && { contentHash: null, ...found };
    },
    findRecord: (domainId, id) => recordsOf(domainId).find((record) => record.id === id),
    recordsAt: (domainId, owner) => recordsOf(domainId).filter((record) => record.owner === owner),
    recordsAtOwners: (domainId, owners) => recordsOf(domainId).filter(({ owner }) => owners.includes(owner)),
    zoneKeys: (domainId) => zoneKeys[domainId] ?? [],
    findRetiredSerial: (name) => retiredSerials[name],
    recordsOf,
    ownersAfter: (domainId, ...range) => ownersOf(recordsOf(domainId), ...range),
    ...readGenerated(recordsOf),
    findLastDeleted: (name) => deletedDomains.findLast((deleted) => deleted.name === name),
    findDeletedDomain: (id) => deletedDomains.find((deleted) => deleted.id === id),
    findHolder: (name) =>
      deletedDomains.findLast((deleted) => deleted.name === name && !isUnverified(deleted))?.accountId,
    hasForeignBelow: (name, accountId, alsoHeld) =>
      [...domains, ...(alsoHeld ? deletedDomains : [])].some(
        (domain) =>
          domain.accountId !== accountId && domain.name.endsWith(`.${name}`) && !isUnverified(domain),
      ),
    changesLater: () => ({ changes: [], reachesBack: false }),
    findKeptOutcome: () => undefined,
  };
}

function ownersOf(
  rows: readonly DomainRecord[],
  place: string,
  limit: number,
): ReturnType<RowReader['ownersAfter']> {
  const placed = new Set(rows.filter(({ id }) => id >= '~').map((row) => row.owner));
  const owners = new Set(rows.map((row) => row.owner));
  return [...owners]
    .filter((owner) => owner > place)
    .sort()
    .slice(0, limit)
    .map((owner) => ({ owner, isBare: !placed.has(owner) }));
}

function findIn<Row extends object>(rows: readonly Row[], lookUp: string, value: string): readonly Row[] {
  return rows.filter((row) => (row as Readonly<Record<string, unknown>>)[lookUp] === value);
}

function readGenerated(
  recordsOf: RowReader['recordsOf'],
): Pick<RowReader, 'generatedBefore' | 'generatedAfter' | 'generatedBetween'> {
  const sorted = new Map<string, readonly DomainRecord[]>();
  /** In order. */
  const generatedOf = (domainId: number, prefix = '~'): readonly DomainRecord[] => {
    const key = `${domainId} ${prefix}`;
    const known = sorted.get(key);
    if (known !== undefined) return known;
    const found = recordsOf(domainId)
      .filter(({ id }) => id.startsWith(prefix))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    sorted.set(key, found);
    return found;
  };
  return {
    generatedBefore(domainId, prefix, before) {
      const generated = generatedOf(domainId, prefix);
      const place = placeIn(generated, before);
      return place === 0 ? undefined : generated[place - 1];
    },
    generatedAfter(domainId, prefix, after) {
      const generated = generatedOf(domainId, prefix);
      const place = placeIn(generated, after);
      return generated.at(place)?.id === after ? generated.at(place + 1) : generated.at(place);
    },
    generatedBetween(domainId, from, to, limit) {
      const generated = generatedOf(domainId);
      const start = placeIn(generated, from);
      return generated.slice(start, Math.min(placeIn(generated, to), start + limit));
    },
  };
}

/** The place of the first row that is not before an id. */
function placeIn(inOrder: readonly DomainRecord[], id: string): number {
  let low = 0;
  for (let high = inOrder.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (inOrder[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The counters of a store without rows. */
export const noCounters = { lastSeq: 0, lastDomainId: 0, accountCount: 0, keyCount: 0, domainCount: 0 };

function namesAfter(domains: readonly Domain[], accountId: string, after: string, limit: number): ZoneName[] {
  const own = domains.filter((domain) => domain.accountId === accountId && domain.name > after);
  return own
    .map(({ name }) => name)
    .sort()
    .slice(0, limit);
}

function operatorsIn({ memberships = [], users = [] }: NonNullable<MemoryRows['people']>, accountId: string) {
  const operators = users.filter(({ isOperator }) => isOperator).map(({ id }) => id);
  const members = memberships.filter((member) => member.accountId === accountId);
  return members.map(({ userId }) => userId).filter((id) => operators.includes(id));
}
