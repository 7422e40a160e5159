import { assert } from '../base/assert.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { BatchView } from './batch-view.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';

/** A store in memory, for tests of what is decided: it keeps rows and counts how often a mutator was called. */
export interface MemoryBatchView extends BatchView {
  /** Calls that changed something. */
  readonly changes: () => number;
  /** All records of a domain, in creation order. */
  readonly allRecords: (domain: ZoneName) => readonly DomainRecord[];
}

export function memoryBatchView(): MemoryBatchView {
  const domains = new Map<ZoneName, Domain>();
  const records = new Map<number, Map<string, DomainRecord>>();
  let domainIds = 0;
  let changes = 0;

  /** Fails where a caller holds a domain that is not there. */
  const recordsOf = (domain: Domain): Map<string, DomainRecord> => {
    const rows = records.get(domain.id);
    assert(rows !== undefined, `there is a domain ${domain.name}`);
    return rows;
  };
  const inOrder = (rows: Map<string, DomainRecord>): DomainRecord[] =>
    [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const store = (domain: Domain): Domain => {
    domains.set(domain.name, domain);
    return domain;
  };
  const recount = (domain: Domain): void => {
    const current = domains.get(domain.name) ?? domain;
    store({ ...current, recordCount: recordsOf(domain).size });
  };

  return {
    ...accountRows(() => changes++),
    ...noHistory,
    changes: () => changes,
    allRecords: (name) => inOrder(records.get(domains.get(name)?.id ?? 0) ?? new Map<string, DomainRecord>()),
    findDomain: (name) => domains.get(name),
    insertDomain(fields) {
      assert(!domains.has(fields.name), `there is no domain ${fields.name} yet`);
      changes++;
      records.set(++domainIds, new Map());
      return store({ ...fields, id: domainIds, serial: 1, soaPrimary: null, soaEmail: null, recordCount: 0 });
    },
    updateDomain(domain, fields) {
      changes++;
      return store({ ...domain, ...fields });
    },
    deleteDomain(domain) {
      changes++;
      domains.delete(domain.name);
      records.delete(domain.id);
    },
    findRecord: (domain, id) => recordsOf(domain).get(id),
    recordsAt: (domain, owner: OwnerKey) =>
      new OwnerRecords(inOrder(recordsOf(domain)).filter((record) => record.owner === owner)),
    recordsOf: (domain) => inOrder(recordsOf(domain)),
    putRecord(domain, record) {
      changes++;
      recordsOf(domain).set(record.id, record);
      recount(domain);
    },
    deleteRecord(domain, record) {
      changes++;
      assert(recordsOf(domain).delete(record.id), `there is a record ${record.id}`);
      recount(domain);
    },
  };
}

const noHistory: Pick<BatchView, 'findDeletedDomain' | 'restoreDomain' | 'changesLater'> = {
  findDeletedDomain: () => undefined,
  restoreDomain() {
    throw new Error('this store keeps nothing deleted');
  },
  changesLater: () => ({ changes: [], reachesBack: false }),
};

type AccountRows = Pick<
  BatchView,
  'findAccount' | 'findKey' | 'accountCount' | 'putAccount' | 'putKey' | 'deleteKey'
>;

function accountRows(changed: () => void): AccountRows {
  const accounts = new Map<string, Account>();
  const keys = new Map<string, ApiKey>();
  return {
    findAccount: (id) => accounts.get(id),
    findKey: (id) => keys.get(id),
    accountCount: () => accounts.size,
    putAccount(account) {
      changed();
      accounts.set(account.id, account);
    },
    putKey(key) {
      changed();
      keys.set(key.id, key);
    },
    deleteKey(id) {
      changed();
      assert(keys.delete(id), `there is a key ${id}`);
    },
  };
}
