import { expect, test } from 'vitest';
import { START_MS, START_SECONDS, newId, newRecord } from '../store/suite/store-scene.test-support.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { PendingBatch } from './pending-batch.ts';
import { readMemoryRows } from './row-reader.test-support.ts';
import { MAX_SERVED_ENTRIES } from './served-updates.ts';

const accountId = newId();
const author = { accountId, keyId: newId(), atMs: START_MS };
const name = 'example.com' as ZoneName;
const head = { name, serial: 100, soaPrimary: null, soaEmail: null };
const domain: Domain = {
  ...head,
  id: 7,
  accountId,
  createdAtSeconds: START_SECONDS,
  recordCount: 3,
  octets: 100,
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
const [one, two, other] = [newRecord('www', 1), newRecord('www', 2), newRecord('mail')];
const counters = { lastSeq: 5, lastDomainId: 7, accountCount: 1, keyCount: 1, domainCount: 1 };

function begin(): PendingBatch {
  const batch = new PendingBatch(readMemoryRows({ domains: [domain], records: { 7: [two, one, other] } }), {
    ...counters,
  });
  batch.begin(author);
  batch.findDomain(name);
  return batch;
}

test('all records at the owners that a batch has changed are served, in creation order', () => {
  const batch = begin();
  const third = newRecord('www', 3);
  batch.putRecord(domain, third);
  batch.findRecord(domain, other.id);
  batch.putRecord(domain, { ...other, owner: newRecord('moved').owner });
  batch.keep();
  expect(batch.servedUpdates()).toEqual([
    {
      kind: 'changed',
      head: { ...head, domainId: 7, serial: 101 },
      created: false,
      owners: [
        { owner: 'www', records: [one, two, third] },
        { owner: 'mail', records: [] },
        { owner: 'moved', records: [{ ...other, owner: 'moved' }] },
      ],
    },
  ]);
});

test('what was undone is not served', () => {
  const batch = begin();
  batch.putRecord(domain, newRecord('www', 3));
  batch.keep();
  batch.begin(author);
  batch.putRecord(domain, newRecord('www', 4));
  batch.putRecord(domain, newRecord('new', 4));
  batch.undo();
  expect(batch.servedUpdates()).toMatchObject([
    { owners: [{ owner: 'www', records: [{}, {}, { data: '192.0.2.3' }] }] },
  ]);
});

test('SOA fields are served without owners', () => {
  const batch = begin();
  batch.updateDomain(domain, { soaEmail: 'a@example.net' });
  batch.keep();
  expect(batch.servedUpdates()).toMatchObject([{ head: { soaEmail: 'a@example.net' }, owners: [] }]);
});

test.each<[string, (batch: PendingBatch) => void]>([
  ['a created domain', (batch) => batch.insertDomain({ ...domain, name: 'new.example' as ZoneName })],
  ['a deleted domain', (batch) => batch.deleteDomain(domain)],
  [
    'very many changes',
    (batch) => {
      for (let index = 0; index <= MAX_SERVED_ENTRIES; index++)
        batch.putRecord(domain, newRecord(`n${index}`));
    },
  ],
])('followers read %s themselves', (_, write) => {
  const batch = begin();
  write(batch);
  batch.keep();
  expect(batch.servedUpdates()).toBeUndefined();
});
