import { finishSteps } from '../base/steps.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import { DECIDED_PER_STEP } from './plan-import.ts';
import {
  allRecords,
  author,
  decideAtOnce,
  domainOf,
  feedLength,
  openBatch,
  record,
  rules,
  scene,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { RecordChanges } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import { MAX_CHANGED_OCTETS } from '../model/write-limits.ts';
import { revisionOf } from './revision.ts';
import { rewindRecords, toPastChange, type PastChange } from './rewind-records.ts';

const nothing: RecordChanges = { deletes: [], updates: [], creates: [] };

function change(batch: PendingBatch, changes: Partial<RecordChanges>) {
  return decideAtOnce(
    { kind: 'changeRecords', author, domain: zone, changes: { ...nothing, ...changes }, rules },
    batch,
  );
}

function importZone(
  batch: PendingBatch,
  records: readonly DomainRecord[],
  mode: 'replace' | 'merge' = 'replace',
) {
  return decideAtOnce({ kind: 'importZone', author, domain: zone, records, mode, soa: null }, batch);
}

const shown = (records: readonly DomainRecord[]) =>
  records.map(({ name, type, data, ttl }) => `${name} ${ttl} ${type} ${data}`).sort();

test('a batch deletes first, so that records in the way of a new one can be removed', () => {
  const { batch } = scene('www A 192.0.2.1', 'old CNAME a.example.net.');
  const result = change(batch, {
    deletes: ['r1', 'r2'],
    creates: [record('n1', 'www CNAME b.example.net.'), record('n2', 'old A 192.0.2.2')],
  });
  expect(result).toMatchObject({ ok: true, changed: true, value: { unchanged: 0 } });
  expect(shown(allRecords(batch))).toEqual([
    ' 300 2 ns1.example.net',
    'old 300 1 192.0.2.2',
    'www 300 5 b.example.net.',
  ]);
});

test('problems beyond the reported ones are counted', () => {
  const { batch } = scene();
  const result = change(batch, { deletes: Array.from({ length: 150 }, (_, at) => `no${at}`) });
  expect(result).toMatchObject({ ok: false, refusal: { moreProblems: 50 } });
  const refusal = result.ok ? undefined : result.refusal;
  expect(refusal?.problems?.length).toBe(100);
  expect(refusal?.message).toMatch(/^150 problems/);
});

test('an import keeps a priority that a zone file cannot express', () => {
  const { batch, create } = scene();
  create('www A 192.0.2.1', { priority: 7 });
  expect(importZone(batch, [record('x', 'www A 192.0.2.1')])).toMatchObject({
    value: { unchanged: 1, updated: [] },
  });
  expect(importZone(batch, [record('x', 'www A 192.0.2.1', { priority: 8 })])).toMatchObject({
    value: { updated: [{ before: { id: 'r1', priority: 7 }, after: { id: 'r1', priority: 8 } }] },
  });
});

test('names that differ in case only are the same data, and keep their spelling', () => {
  const { batch } = scene('Www MX 10 Mail.Example.NET.');
  const result = importZone(batch, [record('x', 'www MX 10 mail.example.net.')]);
  expect(result).toMatchObject({ ok: true, changed: false, value: { unchanged: 1 } });
});

test('a domain of another account counts as unknown', () => {
  const { batch } = scene();
  for (const command of [
    { kind: 'changeRecords', changes: nothing, rules },
    { kind: 'importZone', records: [], mode: 'replace', soa: null },
    { kind: 'revertRecords', to: 1 },
  ] as const) {
    expect(decideAtOnce({ ...command, author: stranger, domain: zone }, batch)).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_domain' },
    });
  }
});

test.for([
  [undefined, 'ok'],
  [['*'], 'ok'],
  [['"0-0"', 'its own'], 'ok'],
  [['"0-0"'], 'precondition_failed'],
  [[], 'precondition_failed'],
] as const)('with the precondition %j a write ends as %s', ([ifMatch, end]) => {
  const { batch } = scene();
  const tags = ifMatch?.map((tag) => (tag === 'its own' ? revisionOf(domainOf(batch)) : tag));
  const result = decideAtOnce(
    { kind: 'updateDomain', author, name: zone, soaEmail: 'a@example.net', ifMatch: tags },
    batch,
  );
  expect(result.ok ? 'ok' : result.refusal.code).toBe(end);
});

test('a domain that must be there is not created', () => {
  const { batch } = scene();
  const name = 'other.example' as typeof zone;
  const result = decideAtOnce(
    { kind: 'createDomain', author, name, address: null, nameservers: [], ifMatch: ['*'] },
    batch,
  );
  expect(result).toMatchObject({ ok: false, refusal: { code: 'precondition_failed' } });
});

const anyRecord = fc
  .tuple(
    fc.constantFrom('a', 'b', 'C', '*', '@'),
    fc.constantFrom('A 192.0.2.1', 'A 192.0.2.2', 'TXT x'),
    fc.constantFrom(60, 300),
  )
  .map(([name, data, ttl]) => ({ text: `${name} ${data}`, ttl }));

const anyZone = fc.uniqueArray(anyRecord, { selector: ({ text }) => text.toLowerCase(), maxLength: 12 });

let ids = 0;
const toRecords = (zoneRecords: readonly { text: string; ttl: number }[]): DomainRecord[] =>
  zoneRecords.map(({ text, ttl }) => record(`d${String(++ids).padStart(8, '0')}`, text, { ttl }));

/** Without the apex NS that stays in any case. */
const held = (batch: PendingBatch) =>
  shown(allRecords(batch).filter(({ type }) => type !== 2)).map((line) => line.toLowerCase());

test('a replaced domain holds just the imported records, and importing them again changes nothing', () => {
  fc.assert(
    fc.property(anyZone, anyZone, (first, second) => {
      const { batch } = scene();
      expect(importZone(batch, toRecords(first))).toMatchObject({ ok: true, changed: first.length > 0 });
      expect(importZone(batch, toRecords(second)).ok).toBe(true);
      expect(held(batch)).toEqual(shown(toRecords(second)).map((line) => line.toLowerCase()));
      const changes = feedLength(batch);
      for (const mode of ['replace', 'merge'] as const) {
        const again = importZone(batch, toRecords(second), mode);
        expect(again).toMatchObject({ ok: true, changed: false, value: { unchanged: second.length } });
      }
      expect(feedLength(batch)).toBe(changes);
    }),
  );
});

test('undoing the changes that an import reports gives the former records', () => {
  fc.assert(
    fc.property(anyZone, anyZone, (first, second) => {
      const { batch } = scene();
      importZone(batch, toRecords(first));
      const before = allRecords(batch);
      const result = importZone(batch, toRecords(second));
      if (!result.ok) throw new Error(result.refusal.message);
      const { created, updated, deleted } = result.value;
      const past = (kind: PastChange['kind'], record: DomainRecord): PastChange =>
        toPastChange({ kind, serial: 2, record, soaBefore: null });
      const later = [
        ...deleted.map((gone) => past('recordDelete', gone)),
        ...updated.flatMap((pair) => [past('recordDelete', pair.before), past('recordPut', pair.after)]),
        ...created.map((fresh) => past('recordPut', fresh)),
      ];
      const soa = { soaPrimary: null, soaEmail: null };
      expect(finishSteps(rewindRecords({ records: allRecords(batch), soa }, later))).toEqual({
        records: before,
        soa,
      });
    }),
  );
});

test('a whole zone is decided in steps, first the plan, then the new records', () => {
  const { batch } = scene();
  const one = record('n', 'a A 192.0.2.1');
  const records = Array.from({ length: 2 * DECIDED_PER_STEP }, (_, at) => ({
    ...one,
    id: `n${10_000 + at}`,
    rdata: Uint8Array.of(192, 0, at >> 8, at),
  }));
  let pauses = 0;
  const command = {
    kind: 'importZone',
    author,
    domain: zone,
    records,
    mode: 'merge',
    soa: null,
  } as const;
  batch.begin(author);
  for (const steps = decide(command, batch); steps.next().done !== true;) pauses++;
  expect([pauses, allRecords(batch).length]).toEqual([4, 2 * DECIDED_PER_STEP + 1]);
});

test.each([
  ['changes', 61],
  ['leaves as they are', 300],
])('a batch that %s more records than fit into memory is refused, and changes nothing', (_, ttl) => {
  const long = { data: 'x'.repeat(65_000), rdata: new Uint8Array(65_000) };
  const count = Math.ceil(MAX_CHANGED_OCTETS / 260_000) + 1;
  const ids = Array.from({ length: count }, (_, at) => `r${at}`);
  const batch = openBatch({
    domains: [{ ...domainOf(scene().batch), recordCount: count }],
    records: { 1: ids.map((id) => ({ ...record(id, `${id} TXT x`), ...long })) },
  });
  const result = change(batch, { updates: ids.map((id) => ({ id, patch: { ttl } })) });
  expect(result).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  expect(feedLength(batch)).toBe(0);
  const half = ids.slice(count / 2).map((id) => ({ id, patch: { ttl } }));
  expect(change(batch, { updates: half })).toMatchObject({ ok: true, changed: ttl === 61 });
});
