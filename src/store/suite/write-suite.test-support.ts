import { expect, test } from 'vitest';
import type { Command } from '../../writes/command.ts';
import {
  START_MS,
  START_SECONDS,
  newId,
  newName,
  newRecord,
  valueOf,
  type StoreScene,
} from './store-scene.test-support.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

/** Writes: order and independence of the commands of a batch, serials, counts, and the updates for listeners. */
export function writeSuite(scene: () => StoreScene): void {
  batchSuite(scene);
  failureSuite(scene);
  domainSuite(scene);
  soaSuite(scene);
  serialSuite(scene);
  updateSuite(scene);
}

function batchSuite(scene: () => StoreScene): void {
  test('a record is read as written', async () => {
    const tenant = await scene().newAccount();
    const { name, id } = await tenant.createDomain();
    const record = newRecord('WWW', 7, { rdata: Uint8Array.from({ length: 256 }, (_, octet) => octet) });
    expect(await tenant.create(name, record)).toMatchObject({ ok: true, value: record, changed: true });
    expect(await scene().store.findRecord(id, record.id)).toEqual(record);
  });

  test('TXT content with NUL is kept in the record, in lists and in the feed', async () => {
    const tenant = await scene().newAccount();
    const domain = await tenant.createDomain();
    const data = '"a\0\\"b\0"';
    const rdata = Uint8Array.of(5, 0x61, 0, 0x22, 0x62, 0);
    const record = newRecord('nul', 1, { type: 16, data, rdata });
    valueOf(await tenant.create(domain.name, record));
    const { store } = scene();
    expect(await store.findRecord(domain.id, record.id)).toEqual(record);
    const { rows } = await store.listRecords(domain, { direction: 'after', key: null, limit: 10 });
    expect(rows.map((row) => row.data)).toEqual([data]);
    const [change] = await store.changesAfter((await store.lastSeq()) - 1, 1);
    expect(change.record).toEqual(record);
  });

  test('empty record data stays empty', async () => {
    const tenant = await scene().newAccount();
    const { name, id } = await tenant.createDomain();
    const record = newRecord('empty', 1, { type: 65280, data: '\\# 0', rdata: new Uint8Array(0) });
    valueOf(await tenant.create(name, record));
    expect(await scene().store.findRecord(id, record.id)).toEqual(record);
    expect(scene().served().get(name)?.records).toEqual(['empty 300 65280 ']);
  });

  test('commands of one turn are decided in order, each on top of the previous ones', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const first = newRecord('www');
    const results = await Promise.all([
      tenant.create(name, first),
      tenant.create(name, newRecord('www')),
      tenant.create(name, newRecord('www', 1, { ttl: 60 })),
      tenant.delete(name, first.id),
      tenant.delete(name, first.id),
      tenant.create(name, newRecord('www', 1, { ttl: 60 })),
    ]);
    expect(results).toMatchObject([
      { ok: true, changed: true, value: { id: first.id } },
      { ok: true, changed: false, value: { id: first.id } },
      { ok: false, refusal: { code: 'record_exists' } },
      { ok: true, value: null },
      { ok: false, refusal: { code: 'unknown_record' } },
      { ok: true, changed: true, value: { ttl: 60 } },
    ]);
    expect(await tenant.get(name)).toMatchObject({ recordCount: 1 });
  });
}

function failureSuite(scene: () => StoreScene): void {
  test('a failing command leaves no trace, and the others succeed', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const nonsense = { kind: 'nonsense' } as unknown as Command;
    const half: Command = {
      kind: 'createDomain',
      author: tenant.author,
      name: newName(),
      address: null,
      nameservers: [newRecord(''), { ...newRecord(''), owner: null as never }],
    };
    const [bad, unwritable, good] = await Promise.allSettled([
      scene().store.write(nonsense),
      scene().store.write(half),
      tenant.create(name, newRecord('good')),
    ]);
    expect(bad).toMatchObject({ status: 'rejected' });
    expect(unwritable).toMatchObject({ status: 'rejected' });
    expect((bad as PromiseRejectedResult).reason).not.toBeInstanceOf(StoreUnavailable);
    expect(good).toMatchObject({ status: 'fulfilled', value: { ok: true } });
    expect(scene().store.readZone(half.name)).toBeUndefined();
    expect(scene().served().get(name)?.records).toEqual(['good 300 1 c0000201']);
  });

  test('a command with an existing id fails alone and changes nothing', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const record = newRecord('one');
    valueOf(await tenant.create(name, record));
    const [double, good] = await Promise.allSettled([
      tenant.create(name, { ...newRecord('two'), id: record.id }),
      tenant.create(name, newRecord('three')),
    ]);
    expect([double.status, good.status]).toEqual(['rejected', 'fulfilled']);
    expect(await tenant.get(name)).toMatchObject({ recordCount: 2 });
  });
}

function domainSuite(scene: () => StoreScene): void {
  test('if two accounts create a domain concurrently, the first gets it and the other cannot see it', async () => {
    const [one, two] = [await scene().newAccount(), await scene().newAccount()];
    const name = newName();
    const ask = { kind: 'createDomain', name, address: null, nameservers: [] } as const;
    const [first, second] = await Promise.all([
      scene().store.write({ ...ask, author: one.author }),
      scene().store.write({ ...ask, author: two.author }),
    ]);
    expect(first).toMatchObject({ ok: true, changed: true });
    expect(second).toMatchObject({ ok: false, refusal: { code: 'domain_taken' } });
    expect(await scene().store.findDomain(two.account.id, name)).toBeUndefined();
    expect(await two.create(name, newRecord('www'))).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_domain' },
    });
    const page = { direction: 'after', key: null, limit: 10 } as const;
    expect(await scene().store.listDomains(two.account.id, page)).toMatchObject({ rows: [], total: 0 });
  });

  test('deleting a domain deletes its records, and a new domain of that name is empty', async () => {
    const tenant = await scene().newAccount();
    const old = await tenant.createDomain();
    const record = newRecord('www');
    valueOf(await tenant.create(old.name, record));
    await tenant.deleteDomain(old.name);
    expect(await scene().store.findDomain(tenant.account.id, old.name)).toBeUndefined();
    expect(await scene().store.findRecord(old.id, record.id)).toBeUndefined();
    expect(scene().store.readZone(old.name)).toBeUndefined();
    expect((await scene().store.listRecords(old, { direction: 'after', key: null, limit: 10 })).total).toBe(
      0,
    );
    const page = { direction: 'after', key: null, limit: 10 } as const;
    expect(await scene().store.listDomains(tenant.account.id, page)).toMatchObject({ rows: [], total: 0 });

    const young = await tenant.createDomain(old.name);
    expect(young.id).toBeGreaterThan(old.id);
    expect([...(scene().store.readZone(old.name)?.records ?? [])]).toEqual([]);
    expect(await tenant.create(old.name, newRecord('www'))).toMatchObject({ ok: true, changed: true });
  });

  test('a domain can be created, filled, deleted and created again in one batch', async () => {
    const tenant = await scene().newAccount();
    const name = newName();
    const [first, , , second] = await Promise.all([
      tenant.createDomain(name),
      tenant.create(name, newRecord('www')),
      tenant.deleteDomain(name),
      tenant.createDomain(name),
      tenant.create(name, newRecord('mail')),
    ]);
    expect(second.id).toBe(first.id + 1);
    expect(scene().served().get(name)?.records).toEqual(['mail 300 1 c0000201']);
    expect(await tenant.get(name)).toMatchObject({ id: second.id, recordCount: 1 });
  });
}

function soaSuite(scene: () => StoreScene): void {
  test('SOA fields are kept', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const soa = { soaPrimary: 'ns9.example.net', soaEmail: 'dns@example.net' };
    const result = await scene().must({ kind: 'updateDomain', author: tenant.author, name, ...soa });
    expect(result).toMatchObject(soa);
    expect(await tenant.get(name)).toMatchObject(soa);
    expect(scene().store.readZone(name)?.head).toMatchObject(soa);
  });
}

function serialSuite(scene: () => StoreScene): void {
  test('the serial starts at the creation time and rises by one for each batch with changes', async () => {
    const tenant = await scene().newAccount();
    const { name, serial } = await tenant.createDomain(newName(), [newRecord('')]);
    expect(serial).toBe(START_SECONDS);
    await Promise.all(['a', 'b', 'c'].map((owner) => tenant.create(name, newRecord(owner))));
    expect(await tenant.get(name)).toMatchObject({ serial: serial + 1, recordCount: 4 });
    await tenant.create(name, newRecord('a'));
    await tenant.delete(name, newId());
    expect(await tenant.get(name)).toMatchObject({ serial: serial + 1 });
    const record = newRecord('d');
    await tenant.create(name, record);
    await tenant.update(name, record.id, { ttl: 60 });
    await tenant.delete(name, record.id);
    expect(await tenant.get(name)).toMatchObject({ serial: serial + 4, recordCount: 4 });
  });

  test('a result holds the serial of the write, also for a repeat, and none if the domain is deleted', async () => {
    const tenant = await scene().newAccount();
    const name = newName();
    const ask = {
      kind: 'createDomain',
      author: tenant.author,
      name,
      address: null,
      nameservers: [],
    } as const;
    const record = newRecord('www');
    const results = [
      await scene().store.write(ask),
      await scene().store.write(ask),
      ...(await Promise.all([tenant.create(name, record), tenant.create(name, newRecord('mail'))])),
      await tenant.create(name, newRecord('www')),
      await tenant.update(name, record.id, { ttl: 60 }),
      await tenant.delete(name, record.id),
      await tenant.delete(name, record.id),
      await scene().store.write({ kind: 'deleteDomain', author: tenant.author, name }),
    ];
    const steps = results.map((result) => result.ok && (result.serial ?? 'none'));
    expect(steps).toEqual([...[0, 0, 1, 1, 1, 2, 3].map((step) => START_SECONDS + step), false, 'none']);
  });

  test('after 2^32 - 1 the serial continues with 0', async () => {
    const tenant = await scene().newAccount();
    tenant.nowMs = (2 ** 32 - 1) * 1000;
    const { name, serial } = await tenant.createDomain();
    await tenant.create(name, newRecord('www'));
    expect([serial, (await tenant.get(name)).serial]).toEqual([2 ** 32 - 1, 0]);
  });

  test.for([
    { secondsLater: 0, expected: START_SECONDS + 5 },
    { secondsLater: 4, expected: START_SECONDS + 5 },
    { secondsLater: 1000, expected: START_SECONDS + 1000 },
  ])('a domain created again after $secondsLater s has a later serial than before', async (row) => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    for (const owner of ['a', 'b', 'c']) await tenant.create(name, newRecord(owner));
    await tenant.deleteDomain(name);
    tenant.nowMs = START_MS + row.secondsLater * 1000;
    expect((await tenant.createDomain(name)).serial).toBe(row.expected);
  });
}

function updateSuite(scene: () => StoreScene): void {
  test('listeners get the whole content of changed owners before the writer is answered', async () => {
    const tenant = await scene().newAccount();
    const { name, serial } = await tenant.createDomain();
    const [one, two] = [newRecord('www', 1), newRecord('www', 2)];
    await tenant.create(name, one);
    const heard = scene().updates.length;
    let heardAtAnswer = 0;
    await tenant.create(name, two).then(() => (heardAtAnswer = scene().updates.length));
    expect(heardAtAnswer).toBe(heard + 1);
    // A zone copy numbers its domains by itself.
    const domainId = scene().store.readZone(name)?.head.domainId;
    const head = { domainId, name, serial: serial + 2, soaPrimary: null, soaEmail: null };
    const records = [one, two].map(({ type, ttl, rdata }) => ({ type, ttl, rdata }));
    expect(scene().updates.at(-1)).toEqual({
      kind: 'changed',
      head,
      created: false,
      owners: [{ owner: 'www', records }],
    });
  });

  test('moving a record updates both owners', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const record = newRecord('old');
    await tenant.create(name, record);
    expect(await tenant.update(name, record.id, { name: 'New' })).toMatchObject({
      ok: true,
      value: { name: 'New', owner: 'new' },
    });
    expect(scene().updates.at(-1)).toMatchObject({
      owners: [
        { owner: 'old', records: [] },
        { owner: 'new', records: [{ type: 1 }] },
      ],
    });
  });

  test('a write that changes nothing calls no listener', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const record = newRecord('www');
    await tenant.create(name, record);
    const [heard, lastSeq] = [scene().updates.length, await scene().store.lastSeq()];
    await tenant.create(name, newRecord('www'));
    await tenant.update(name, record.id, {});
    await tenant.delete(name, newId());
    expect([scene().updates.length, await scene().store.lastSeq()]).toEqual([heard, lastSeq]);
  });
}
