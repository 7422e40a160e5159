import { expect, test } from 'vitest';
import type { Domain } from '../model/domain.ts';
import type { WithholdReasons } from '../model/withholding.ts';
import {
  allRecords,
  author,
  decideAtOnce,
  domainOf,
  feedLength,
  openBatch,
  record,
  scene,
  storedZone,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import { MAX_WITHHELD_AT_ONCE } from './decide-withholding.ts';
import { weighCommand, isLarge } from './command-weight.ts';
import type { PendingBatch } from './pending-batch.ts';

const service = { accountId: '', keyId: '', atMs: author.atMs };

function write(
  batch: PendingBatch,
  kind: 'withholdDomains' | 'releaseDomains',
  domains: readonly Pick<Domain, 'id' | 'name'>[] = [{ id: 1, name: zone }],
) {
  return decideAtOnce({ kind, author: service, reason: 'suspended', domains }, batch);
}

test.each<[WithholdReasons, 'withholdDomains' | 'releaseDomains', WithholdReasons, string[]]>([
  [[], 'withholdDomains', ['suspended'], ['domainWithhold']],
  [['unverified'], 'withholdDomains', ['suspended', 'unverified'], []],
  [['suspended', 'unverified'], 'releaseDomains', ['unverified'], []],
  [['suspended'], 'releaseDomains', [], ['domainRelease']],
])('a domain withheld for [%s] after %s is withheld for [%s]', (before, kind, after, entries) => {
  const batch = openBatch({ domains: [{ ...storedZone, withheld: before }] });
  expect(write(batch, kind)).toMatchObject({ changed: true, value: { changed: 1 } });
  expect(domainOf(batch)).toMatchObject({
    withheld: after,
    withheldSeq: entries.length === 0 ? null : 1,
    serial: storedZone.serial,
    revisedSerial: storedZone.serial,
  });
  const { changes, changedDomains, formerDomains, usageSteps } = batch.finish();
  expect(changes.map((change) => change.kind)).toEqual(entries);
  expect([changedDomains.length, formerDomains[0].withheld, usageSteps]).toEqual([1, before, []]);
});

test.each<[string, WithholdReasons, 'withholdDomains' | 'releaseDomains', Pick<Domain, 'id' | 'name'>]>([
  ['has the reason already', ['suspended'], 'withholdDomains', { id: 1, name: zone }],
  ['lacks the reason', ['unverified'], 'releaseDomains', { id: 1, name: zone }],
  ['is another one than was seen', [], 'withholdDomains', { id: 2, name: zone }],
])('a domain that %s is passed over', (_, withheld, kind, seen) => {
  const batch = openBatch({ domains: [{ ...storedZone, withheld }] });
  expect(write(batch, kind, [seen])).toEqual({
    ok: true,
    changed: false,
    value: { changed: 0 },
  });
  expect([domainOf(batch).withheld, feedLength(batch)]).toEqual([withheld, 0]);
});

test('a withheld domain is edited, listed and deleted like any other, and no account can take its name', () => {
  const { batch, create } = scene('www A 192.0.2.1');
  write(batch, 'withholdDomains');
  expect(create('mail A 192.0.2.2').ok).toBe(true);
  expect(allRecords(batch)).toHaveLength(3);
  const taken = {
    kind: 'createDomain',
    author: stranger,
    name: zone,
    address: null,
    nameservers: [],
  } as const;
  expect(decideAtOnce(taken, batch)).toMatchObject({ ok: false, refusal: { code: 'domain_taken' } });
  decideAtOnce({ kind: 'deleteDomain', author, name: zone }, batch);
  const restored = decideAtOnce({ kind: 'restoreDomain', author, name: zone }, batch);
  // Only an account that is not suspended restores domains.
  expect(restored).toMatchObject({ ok: true, value: { withheld: [] } });
});

test('what a refused command has withheld is undone', () => {
  const { batch } = scene();
  batch.begin(author);
  batch.withhold(domainOf(batch), ['suspended']);
  batch.undo();
  expect(domainOf(batch).withheld).toEqual([]);
  expect(batch.finish()).toMatchObject({ changedDomains: [], changes: [] });
});

test('withholding and records of one batch leave a domain that followers do not serve', () => {
  const { batch, create } = scene();
  create('www A 192.0.2.1');
  write(batch, 'withholdDomains');
  create('mail A 192.0.2.2');
  const { changes, changedDomains } = batch.finish();
  expect(changes.map(({ kind }) => kind)).toEqual(['recordPut', 'domainWithhold', 'recordPut']);
  expect(changedDomains).toMatchObject([{ withheldSeq: 2, serial: storedZone.serial + 1, recordCount: 3 }]);
});

test('a domain that waits for its first DS record waits since its release', () => {
  const waiting = {
    ...storedZone,
    denial: 'nsec',
    awaitsDsSinceSeconds: 5,
    withheld: ['suspended'],
  } as const;
  const batch = openBatch({ domains: [waiting], records: { 1: [record('ns', '@ NS ns1.example.net')] } });
  write(batch, 'releaseDomains');
  expect(domainOf(batch).awaitsDsSinceSeconds).toBe(Math.floor(author.atMs / 1000));
});

test('the longest command is not large', () => {
  const domains = Array.from({ length: MAX_WITHHELD_AT_ONCE }, () => ({ id: 1, name: zone }));
  const command = { kind: 'withholdDomains', author, reason: 'suspended', domains } as const;
  expect(isLarge(weighCommand(command))).toBe(false);
});
