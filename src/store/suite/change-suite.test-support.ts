import { expect, test } from 'vitest';
import type { Command, CommandOf } from '../../writes/command.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { RecordChanges, RecordsChanged } from '../../model/record-changes.ts';
import type { DomainRecord, OwnerKey, SentRecord } from '../../model/record.ts';
import { revisionOf } from '../../writes/revision.ts';
import { MAX_UPDATED_OWNERS } from '../../writes/zone-replacement.ts';
import {
  START_MS,
  newName,
  newRecord,
  replayUpdates,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
const noSoa = { soaPrimary: null, soaEmail: null };
const nothing: RecordChanges = { deletes: [], updates: [], creates: [] };

/** Batches, zone imports, dry runs, preconditions, revisions and repeated requests. */
export function changeSuite(scene: () => StoreScene): void {
  batchSuite(scene);
  repeatedBatchSuite(scene);
  importSuite(scene);
  createAndImportSuite(scene);
  largeZoneSuite(scene);
  conditionSuite(scene);
  revisionSuite(scene);
  repeatSuite(scene);
}

function batchSuite(scene: () => StoreScene): void {
  test('a batch deletes, updates and creates in one serial step', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b', 'c']);
    const [a, b, c] = records;
    const created = newRecord('a', 1, { type: 5, data: 'x.example', rdata: Uint8Array.of(1, 120, 0) });
    const result = await change(tenant, domain, {
      deletes: [a.id],
      updates: [
        { id: b.id, patch: { ttl: 60 } },
        { id: c.id, patch: {} },
      ],
      creates: [created, newRecord('c', 3)],
    });
    const after = { ...b, ttl: 60 };
    expect(result).toEqual({
      ok: true,
      changed: true,
      serial: domain.serial + 1,
      revision: revisionOf(await tenant.get(domain.name)),
      value: { created: [created], updated: [{ before: b, after }], deleted: [a], unchanged: 2 },
    });
    expect(await readRecords(scene(), tenant, domain)).toEqual([after, c, created]);
    expect(replayUpdates(scene().updates)).toEqual(scene().served());
  });

  test('a batch with problems changes nothing and reports all of them', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const lastSeq = await scene().store.lastSeq();
    const result = await change(tenant, domain, {
      deletes: ['nothing'],
      updates: [{ id: records[0].id, patch: { ttl: 0 } }],
      creates: [newRecord('b'), newRecord('a', 1, { ttl: 5 })],
    });
    expect(result).toMatchObject({
      ok: false,
      refusal: {
        code: 'unknown_record',
        moreProblems: 0,
        problems: [
          { list: 'delete', index: 0, code: 'unknown_record' },
          { list: 'update', index: 0, field: 'ttl', code: 'invalid_request' },
          { list: 'create', index: 1, code: 'record_exists' },
        ],
      },
    });
    expect(await scene().store.lastSeq()).toBe(lastSeq);
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
  });
}

function repeatedBatchSuite(scene: () => StoreScene): void {
  test('a batch whose result exists already changes nothing', async () => {
    const { tenant, domain } = await filled(scene(), ['a', 'b']);
    const result = await change(tenant, domain, {
      ...nothing,
      creates: [newRecord('a', 1), newRecord('b', 2)],
    });
    expect(result).toMatchObject({
      ok: true,
      changed: false,
      serial: domain.serial,
      value: { unchanged: 2 },
    });
  });
}

function importSuite(scene: () => StoreScene): void {
  test('a replacing import keeps the ids and spelling of records that remain, and the apex NS records', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'B', 'gone']);
    const ns = newRecord('', 1, { type: 2, data: 'ns.example', rdata: Uint8Array.of(2, 110, 115, 0) });
    await tenant.create(domain.name, ns);
    const [a, b, gone] = records;
    const fresh = newRecord('new', 9);
    const result = await importZone(tenant, domain, [
      newRecord('a', 1),
      newRecord('b', 2, { ttl: 9 }),
      fresh,
    ]);
    const after = { ...b, ttl: 9 };
    expect(result).toMatchObject({
      ok: true,
      changed: true,
      value: { created: [fresh], updated: [{ before: b, after }], deleted: [gone], unchanged: 1 },
    });
    expect(await readRecords(scene(), tenant, domain)).toEqual([a, after, ns, fresh]);
    const again = await importZone(tenant, domain, [
      newRecord('a', 1),
      newRecord('b', 2, { ttl: 9 }),
      newRecord('new', 9),
    ]);
    expect(again).toMatchObject({
      ok: true,
      changed: false,
      value: { created: [], updated: [], deleted: [], unchanged: 3 },
    });
  });

  test('a merging import keeps all other records and sets the SOA fields', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const soa = { soaEmail: 'dns@example.net' };
    const result = await importZone(tenant, domain, [newRecord('a', 1, { ttl: 7 })], { mode: 'merge', soa });
    expect(result).toMatchObject({
      value: {
        updated: [{ after: { id: records[0].id, ttl: 7 } }],
        deleted: [],
        soa: { before: { soaPrimary: null, soaEmail: null }, after: { soaPrimary: null, ...soa } },
      },
    });
    expect(await tenant.get(domain.name)).toMatchObject({
      ...soa,
      recordCount: 2,
      serial: domain.serial + 1,
    });
  });
}

function createAndImportSuite(scene: () => StoreScene): void {
  test('an import creates a missing domain with its records in one step, or not at all', async () => {
    const { tenant, domain: other } = await filled(scene(), []);
    const { author } = tenant;
    const ns = newRecord('', 1, { type: 2, data: 'ns.example', rdata: Uint8Array.of(2, 110, 115, 0) });
    const young = { name: newName() };
    const [a, b] = [newRecord('a'), newRecord('b')];
    const cname = newRecord('a', 1, { type: 5, data: 'x.example', rdata: Uint8Array.of(1, 120, 0) });
    const created = { nameservers: [ns] };

    expect(await importZone(tenant, young, [a])).toMatchObject({ refusal: { code: 'unknown_domain' } });
    expect(await importZone(tenant, young, [a, cname], created)).toMatchObject({
      refusal: { problems: [{ index: 1, code: 'record_conflict' }] },
    });
    const difference = { created: [a, b], updated: [], deleted: [], unchanged: 0 };
    expect(await importZone(tenant, young, [a, b], { ...created, dryRun: true })).toMatchObject({
      difference,
    });
    expect(await importZone(tenant, young, [a], { ...created, ifMatch: ['*'] })).toMatchObject({
      refusal: { code: 'precondition_failed' },
    });
    expect(await scene().store.findDomain(author.accountId, young.name)).toBeUndefined();

    expect(await importZone(tenant, young, [a, b], created)).toMatchObject({
      changed: true,
      value: difference,
    });
    const domain = await tenant.get(young.name);
    expect(await readRecords(scene(), tenant, domain)).toEqual([ns, a, b]);
    expect(domain.serial).toBeGreaterThanOrEqual(other.serial);
    expect(replayUpdates(scene().updates)).toEqual(scene().served());
    expect(
      await importZone(tenant, domain, [newRecord('a', 1)], { ...created, mode: 'merge' }),
    ).toMatchObject({
      changed: false,
      value: { unchanged: 1 },
      revision: revisionOf(domain),
    });
  });

  test('an empty import still creates the domain', async () => {
    const { tenant } = await filled(scene(), []);
    const young = { name: newName() };
    const result = await importZone(tenant, young, [], { nameservers: [], mode: 'merge' });
    expect(result).toMatchObject({ ok: true, changed: true });
    expect(await tenant.get(young.name)).toMatchObject({ recordCount: 0 });
  });

  test('a domain of another account cannot be created by an import', async () => {
    const { domain } = await filled(scene(), []);
    const { tenant: other } = await filled(scene(), []);
    const result = await importZone(other, domain, [newRecord('a')], { nameservers: [], mode: 'merge' });
    expect(result).toMatchObject({ refusal: { code: 'domain_taken' } });
  });
}

function largeZoneSuite(scene: () => StoreScene): void {
  test('a large zone can be imported, changed at all its names and emptied', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const count = MAX_UPDATED_OWNERS + 10;
    const zone = (ttl: number) => Array.from({ length: count }, (_, at) => newRecord(`n${at}`, 1, { ttl }));
    for (const records of [zone(60), zone(61), []]) {
      expect(await importZone(tenant, domain, records)).toMatchObject({ ok: true, changed: true });
      expect(scene().served().get(domain.name)?.records.length).toBe(records.length);
      expect(replayUpdates(scene().updates)).toEqual(scene().served());
    }
  });

  test('conflicting records are each reported with their position', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const cname = newRecord('a', 1, { type: 5, data: 'x.example', rdata: Uint8Array.of(1, 120, 0) });
    const result = await importZone(tenant, domain, [newRecord('a'), cname, newRecord('a', 1, { ttl: 5 })]);
    expect(result).toMatchObject({
      ok: false,
      refusal: {
        problems: [
          { index: 2, code: 'record_exists' },
          { index: 1, code: 'record_conflict' },
        ],
      },
    });
  });
}

function conditionSuite(scene: () => StoreScene): void {
  test('a dry run returns the difference and changes nothing', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const { author } = tenant;
    const [a, b] = records;
    const dry = { author, dryRun: true } as const;
    const lastSeq = await scene().store.lastSeq();
    const fresh = newRecord('c');
    const { name } = domain;
    const young = newName();
    const cases: (readonly [Command, Partial<RecordsChanged>])[] = [
      [{ ...dry, kind: 'createRecord', domain: name, record: fresh }, { created: [fresh] }],
      [
        { ...dry, kind: 'createRecord', domain: name, record: newRecord('a', 1) },
        { created: [], unchanged: 1 },
      ],
      [{ ...dry, kind: 'deleteRecord', domain: name, recordId: a.id }, { deleted: [a] }],
      [
        { ...dry, kind: 'updateRecord', domain: name, recordId: a.id, patch: { ttl: 60 }, rules },
        { updated: [{ before: a, after: { ...a, ttl: 60 } }] },
      ],
      [{ ...dry, kind: 'deleteDomain', name }, { deleted: [a, b] }],
      [
        { ...dry, kind: 'createDomain', name: young, address: null, nameservers: [fresh] },
        { created: [fresh] },
      ],
      [
        { ...dry, kind: 'updateDomain', name, soaEmail: 'a@example.net' },
        { soa: { before: noSoa, after: { ...noSoa, soaEmail: 'a@example.net' } } },
      ],
    ];
    for (const [command, difference] of cases) {
      expect(await scene().store.write(command)).toMatchObject({ ok: true, difference });
    }
    expect(await tenant.get(name)).toEqual(domain);
    expect(await scene().store.lastSeq()).toBe(lastSeq);
    expect(await scene().store.findDomain(tenant.account.id, young)).toBeUndefined();
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
  });

  test('one of two writers with the same expected revision is refused', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const ifMatch = [revisionOf(domain)];
    const ask = { kind: 'createRecord', author: tenant.author, domain: domain.name, ifMatch } as const;
    const results = await Promise.all([
      scene().store.write({ ...ask, record: newRecord('a') }),
      scene().store.write({ ...ask, record: newRecord('b') }),
      scene().store.write({ ...ask, record: newRecord('c'), ifMatch: ['*'] }),
    ]);
    const refused = { ok: false, refusal: { code: 'precondition_failed' } };
    expect(results).toMatchObject([{ ok: true }, refused, { ok: true }]);
    const none = { ...ask, domain: newName(), record: newRecord('d') };
    expect(await scene().store.write(none)).toMatchObject({ refusal: { code: 'unknown_domain' } });
  });
}

function revisionSuite(scene: () => StoreScene): void {
  test('concurrent writers get different revisions, and only the last one has the current revision', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const ask = { kind: 'createRecord', author: tenant.author, domain: domain.name } as const;
    const keyed = { ...tenant.author, idempotency: { key: 'k', hash: 'h' } };
    const keyedLast = { ...tenant.author, idempotency: { key: 'last', hash: 'h' } };
    const last = newRecord('c');
    const dryRun = await scene().store.write({
      ...ask,
      author: keyedLast,
      record: newRecord('b'),
      dryRun: true,
    });
    const results = await Promise.all([
      scene().store.write({ ...ask, author: keyed, record: newRecord('a') }),
      scene().store.write({ ...ask, author: keyedLast, record: last }),
      scene().store.write({ ...ask, record: last }),
    ]);
    const now = revisionOf(await tenant.get(domain.name));
    const revisions = [dryRun, ...results].map((result) => (result.ok ? result.revision : undefined));
    expect(revisions.map((revision) => revision === now)).toEqual([false, false, true, true]);
    // No two writes have the same revision.
    expect(new Set([...revisions.slice(1), revisionOf(domain)]).size).toBe(3);
    for (const revision of revisions.slice(0, 2)) {
      const write = { ...ask, record: newRecord('d'), ifMatch: [revision ?? ''] };
      expect(await scene().store.write(write)).toMatchObject({ refusal: { code: 'precondition_failed' } });
    }
    const repeated = await scene().store.write({ ...ask, author: keyed, record: newRecord('a') });
    expect(repeated).toEqual(results[0]);
    expect(await scene().store.write({ ...ask, author: keyedLast, record: last })).toEqual(results[1]);
  });
}

function repeatSuite(scene: () => StoreScene): void {
  test('a repeated request gets its kept outcome, and a different request with the same key is refused', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const keyed = (hash: string, atMs = START_MS) => ({
      ...tenant.author,
      atMs,
      idempotency: { key: `key of ${tenant.account.id}`, hash },
    });
    const ask = { kind: 'createRecord', domain: domain.name } as const;
    const record = newRecord('a', 1, { rdata: Uint8Array.of(0, 255, 128, 10) });
    const first = await scene().store.write({ ...ask, author: keyed('one'), record });
    await tenant.delete(domain.name, record.id);
    const again = await scene().store.write({ ...ask, author: keyed('one'), record: newRecord('a') });
    expect(again).toEqual(first);
    const other = await scene().store.write({ ...ask, author: keyed('two'), record });
    expect(other).toMatchObject({ ok: false, refusal: { code: 'idempotency_mismatch' } });
    expect(await tenant.get(domain.name)).toMatchObject({ recordCount: 0 });
    const nextDay = await scene().store.write({
      ...ask,
      author: keyed('two', START_MS + 86_400_001),
      record,
    });
    expect(nextDay).toMatchObject({ ok: true, changed: true, value: record });
  });

  test('a request that changes nothing keeps no outcome: its key can be used again', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const record = newRecord('a');
    await tenant.create(domain.name, record);
    const keyed = (hash: string) => ({ ...tenant.author, idempotency: { key: 'nothing', hash } });
    const ask = (hash: string, sent: DomainRecord) =>
      scene().store.write({ kind: 'createRecord', author: keyed(hash), domain: domain.name, record: sent });
    const nothing = { ok: true, changed: false, value: record };
    expect(await ask('one', { ...record, id: 'again' })).toMatchObject(nothing);
    expect(await ask('one', { ...record, id: 'again' })).toMatchObject(nothing);
    expect(await ask('two', newRecord('b'))).toMatchObject({ ok: true, changed: true });
    expect(await ask('one', record)).toMatchObject({ refusal: { code: 'idempotency_mismatch' } });
  });

  test('a request sent twice concurrently is executed once, and a refused one may be corrected', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const author = { ...tenant.author, idempotency: { key: 'k', hash: 'h' } };
    const ask = (record: DomainRecord) =>
      scene().store.write({ kind: 'createRecord', author, domain: domain.name, record });
    expect(await ask(newRecord('', 1, { type: 5 }))).toMatchObject({ ok: false });
    const record = newRecord('a');
    const results = await Promise.all([ask(record), ask(newRecord('b')), ask(newRecord('c'))]);
    for (const result of results) expect(result).toMatchObject({ ok: true, changed: true, value: record });
    expect(await tenant.get(domain.name)).toMatchObject({ recordCount: 1 });
  });
}

/** Creates a domain with an A record at each name, the last octet rising from 1. */
export async function filled(scene: StoreScene, names: readonly string[]) {
  const tenant = await scene.newAccount();
  const records = names.map((name, at) => newRecord(name, at + 1));
  const { name } = await tenant.createDomain(newName(), records);
  return { tenant, domain: await tenant.get(name), records };
}

export function change(tenant: Tenant, { name }: { name: ZoneName }, changes: RecordChanges) {
  const { author, scene } = tenant;
  return scene.store.write({ kind: 'changeRecords', author, domain: name, changes, rules });
}

export function importZone(
  tenant: Tenant,
  { name }: { name: ZoneName },
  records: readonly SentRecord[],
  more: Partial<Omit<CommandOf<'importZone'>, 'kind' | 'author' | 'domain' | 'records'>> = {},
) {
  const { author, scene } = tenant;
  return scene.store.write({
    kind: 'importZone',
    author,
    domain: name,
    records,
    mode: 'replace',
    soa: null,
    ...more,
  });
}

/** Reads all records in creation order. */
export async function readRecords(
  scene: StoreScene,
  tenant: Tenant,
  { name }: Domain,
): Promise<DomainRecord[]> {
  const view = await scene.store.openZoneView(tenant.account.id, name);
  const records: (DomainRecord & { owner: OwnerKey })[] = [];
  for await (const slice of view?.slices() ?? []) records.push(...slice);
  await view?.close();
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}
