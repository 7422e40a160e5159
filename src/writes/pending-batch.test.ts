import { EMPTY_SUM, HashSum } from '../base/hash-sum.ts';
import { expect, test } from 'vitest';
import type { Author } from './command.ts';
import { noUsage } from '../model/account-limits.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { recordOctets } from '../model/stored-octets.ts';
import { addRecord } from '../model/zone-hash.ts';
import type { BatchWrites } from './batch-writes.ts';
import { PendingBatch } from './pending-batch.ts';
import { readMemoryRows } from './row-reader.test-support.ts';
import {
  START_MS,
  START_SECONDS,
  newId,
  newKey,
  newRecord,
} from '../store/suite/store-scene.test-support.ts';

const account = { id: newId(), name: 'Example', email: '', createdAtSeconds: START_SECONDS };
const key = newKey(account.id);
const author: Author = { accountId: account.id, keyId: key.id, atMs: START_MS };
const [one, two, other] = [newRecord('www', 1), newRecord('www', 2), newRecord('mail')];
const name = 'example.com' as ZoneName;
const young = 'young.example' as ZoneName;
const retired = 'retired.example' as ZoneName;
const domain: Domain = {
  id: 7,
  accountId: account.id,
  name,
  createdAtSeconds: START_SECONDS,
  serial: 100,
  soaPrimary: null,
  soaEmail: null,
  recordCount: 3,
  octets: 1000,
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  revisedSerial: 100,
  signingWork: null,
  withheld: [],
  withheldSeq: null,
  claim: null,
};

/** One account with one key and one domain of three records. */
const rows = readMemoryRows({
  accounts: [account],
  keys: [key],
  domains: [domain],
  records: { [domain.id]: [two, one, other] },
  retiredSerials: { [retired]: START_SECONDS + 10 },
});

type Step = (batch: PendingBatch) => void;

const anotherKey = newKey(account.id);
const anotherAccount = { ...account, id: newId() };
const third = newRecord('www', 3);
const thirdOctets = recordOctets(third);
const hashOf = (record: DomainRecord): string => {
  const sum = new HashSum();
  addRecord(sum, record);
  return sum.toString();
};

function get(batch: PendingBatch, asked: ZoneName): Domain {
  const found = batch.findDomain(asked);
  if (found === undefined) throw new Error(`${asked} is there`);
  return found;
}

function insert(batch: PendingBatch, asked: ZoneName): Domain {
  return batch.insertDomain({ accountId: account.id, name: asked, createdAtSeconds: START_SECONDS });
}

const steps: Record<string, Step> = {
  'a new account': (batch) => batch.putAccount(anotherAccount),
  'a changed account': (batch) => batch.putAccount({ ...account, name: 'Changed' }),
  'a new key': (batch) => batch.putKey(anotherKey),
  'a changed key': (batch) => batch.putKey({ ...key, label: 'changed' }),
  'a deleted key': (batch) => batch.deleteKey(key.id),
  'a new domain': (batch) => insert(batch, young),
  'a new domain with a record': (batch) => batch.putRecord(insert(batch, young), newRecord('x')),
  'changed SOA fields': (batch) => batch.updateDomain(get(batch, name), { soaPrimary: 'ns.example.net' }),
  'a new record': (batch) => batch.putRecord(get(batch, name), third),
  'a changed record': (batch) => {
    const record = batch.findRecord(get(batch, name), one.id);
    if (record !== undefined) batch.putRecord(get(batch, name), { ...record, ttl: 60 });
  },
  'a moved record': (batch) => {
    batch.findRecord(get(batch, name), one.id);
    batch.putRecord(get(batch, name), { ...one, owner: other.owner });
  },
  'a deleted record': (batch) => batch.deleteRecord(get(batch, name), one),
  'a deleted domain': (batch) => batch.deleteDomain(get(batch, name)),
  'a domain made anew': (batch) => {
    batch.deleteDomain(get(batch, name));
    batch.putRecord(insert(batch, name), newRecord('x'));
  },
};

/** Steps kept before the one that is taken back: none, and writes to the same rows. */
const kept: readonly (readonly Step[])[] = [
  [],
  [steps['a changed record'], steps['a new record'], steps['a deleted key'], steps['a new key']],
];

test.for(Object.entries(steps))('%s can be undone without a trace', ([, step]) => {
  for (const before of kept) {
    const [untouched, batch] = [run(before), run(before)];
    step(batch);
    batch.undo();
    expect(batch.finish()).toEqual(untouched.finish());
    const again = run([...before, step]);
    const afterUndo = run(before);
    step(afterUndo);
    afterUndo.undo();
    step(afterUndo);
    expect(withoutRandom(afterUndo.finish())).toEqual(withoutRandom(again.finish()));
  }
});

test.for<[string, readonly Step[], Partial<BatchWrites>]>([
  ['an empty batch writes nothing', [], { counters: null, changes: [], changedDomains: [] }],
  [
    'a key put twice counts once',
    [steps['a new key'], steps['a new key'], steps['a changed key']],
    {
      createdKeys: [anotherKey],
      changedKeys: [{ ...key, label: 'changed' }],
      usageSteps: [{ accountId: account.id, step: { ...noUsage, keys: 1 } }],
    },
  ],
  [
    'a deleted domain leaves the count of its account, and can be restored with what was just written to it',
    [steps['a new record'], steps['a deleted domain']],
    {
      deletedDomains: [
        {
          ...domain,
          serial: 101,
          revisedSerial: 101,
          signingWork: null,
          withheld: [],
          withheldSeq: null,
          claim: null,
          recordCount: 4,
          octets: 1000 + thirdOctets,
          contentHash: null,
          deletedAtMs: START_MS,
        },
      ],
      usageSteps: [
        {
          accountId: account.id,
          step: {
            ...noUsage,
            domains: -1,
            records: -3,
            octets: -1000,
            // A change for the record and one for the domain, and all records of the domain.
            historyOctets: 2 * 128 + thirdOctets + 1000 + thirdOctets,
          },
        },
      ],
      changedDomains: [],
      createdRecords: [{ domainId: 7, record: third }],
    },
  ],
  [
    'a domain created and deleted in one batch is not reported, and can be restored',
    [
      (batch) => batch.putRecord(insert(batch, young), third),
      (batch) => batch.deleteDomain(get(batch, young)),
    ],
    {
      createdDomains: [],
      deletedDomains: [
        {
          ...domain,
          id: 42,
          name: young,
          serial: START_SECONDS,
          revisedSerial: START_SECONDS,
          signingWork: null,
          withheld: [],
          withheldSeq: null,
          claim: null,
          recordCount: 1,
          octets: thirdOctets,
          contentHash: hashOf(third),
          deletedAtMs: START_MS,
        },
      ],
      createdRecords: [{ domainId: 42, record: third }],
    },
  ],
  [
    'a domain created again continues after its former serial',
    [(batch) => insert(batch, retired)],
    {
      createdDomains: [
        {
          ...domain,
          id: 42,
          name: retired,
          serial: START_SECONDS + 11,
          revisedSerial: START_SECONDS + 11,
          signingWork: null,
          withheld: [],
          withheldSeq: null,
          claim: null,
          createdAtSeconds: START_SECONDS,
          recordCount: 0,
          octets: 0,
          contentHash: EMPTY_SUM,
        },
      ],
    },
  ],
  [
    'many steps are one serial step and one row each',
    [
      steps['a new record'],
      steps['a changed record'],
      steps['a deleted record'],
      steps['changed SOA fields'],
    ],
    {
      changedDomains: [
        {
          ...domain,
          serial: 101,
          revisedSerial: 101,
          signingWork: null,
          withheld: [],
          withheldSeq: null,
          claim: null,
          soaPrimary: 'ns.example.net',
          octets: 1000 + thirdOctets - recordOctets(one),
          contentHash: null,
        },
      ],
      createdRecords: [{ domainId: 7, record: third }],
      changedRecords: [],
      deletedRecords: [{ domainId: 7, record: one }],
    },
  ],
])('%s', ([, taken, writes]) => {
  expect(run(taken).finish()).toMatchObject(writes);
});

test('records at an owner come in order of creation, with the writes of the batch', () => {
  const batch = run([steps['a new record']]);
  expect(batch.recordsAt(get(batch, name), one.owner).all).toEqual([one, two, third]);
});

function run(taken: readonly Step[]): PendingBatch {
  const batch = new PendingBatch(rows, {
    lastSeq: 10,
    lastDomainId: 41,
    accountCount: 1,
    keyCount: 1,
    domainCount: 1,
  });
  batch.begin(author);
  for (const step of taken) {
    step(batch);
    batch.keep();
  }
  return batch;
}

/** Some steps make records of new ids, which are hashed, too: only their shape is compared. */
function withoutRandom(writes: BatchWrites): unknown {
  return JSON.parse(
    JSON.stringify(writes).replaceAll(/0193a0b0-0000-7000-8000-\w{12}|(?<="contentHash":")\w{32}/g, 'id'),
  );
}
