import { expect, test } from 'vitest';
import type { Domain } from '../../model/domain.ts';
import { change, importZone, filled, readRecords } from './change-scene.test-support.ts';
import { historyFilterSuite } from './history-filter-suite.test-support.ts';
import type { HistoryEntry } from '../../writes/history-entry.ts';
import { readPastContent } from '../past-content.ts';
import { restoreSuite } from './restore-suite.test-support.ts';
import { returnSuite } from './return-suite.test-support.ts';
import type { PastMoment } from '../zone-view.ts';
import { START_MS, newRecord, walk, type StoreScene, type Tenant } from './store-scene.test-support.ts';

/** History, earlier content, reverting to it, and restored domains. */
export function historySuite(scene: () => StoreScene): void {
  listSuite(scene);
  revertSuite(scene);
  refusedRevertSuite(scene);
  authorSuite(scene);
  historyFilterSuite(scene);
  restoreSuite(scene);
  returnSuite(scene);
}

function authorSuite(scene: () => StoreScene): void {
  test('changes of one write share its address and note, and neighbours have none', async () => {
    const tenant = await scene().newAccount();
    const domain = await tenant.createDomain();
    const { name } = domain;
    const author = { ...tenant.author, address: '192.0.2.99', note: 'moved' };
    const records = ['a', 'b', 'c'].map((owner) => newRecord(owner));
    await tenant.create(name, newRecord('before'));
    const terms = { domain: name, mode: 'merge', soa: null } as const;
    await scene().must({ kind: 'importZone', author, ...terms, records });
    await scene().must({
      kind: 'importZone',
      author: { ...tenant.author, note: 'x' },
      ...terms,
      records: records.map((record) => ({ ...record, ttl: 7 })),
    });
    await tenant.create(name, newRecord('after'));
    const { rows } = await scene().store.listChanges(domain, { direction: 'after', key: null, limit: 99 });
    const authors = rows.map(({ address, note }) => `${address} ${note}`);
    const none = 'null null';
    const moved = '192.0.2.99 moved';
    expect(authors).toEqual([none, ...records.map(() => 'null x'), ...records.map(() => moved), none, none]);
  });
}

function listSuite(scene: () => StoreScene): void {
  test('the history shows each change with the former content, newest first', async () => {
    const tenant = await scene().newAccount();
    const domain = await tenant.createDomain();
    const record = newRecord('www');
    const author = { ...tenant.author, atMs: START_MS + 7, address: '192.0.2.99', note: 'moved “here”' };
    const { name } = domain;
    await scene().must({ kind: 'createRecord', author, domain: name, record });
    await tenant.update(name, record.id, { ttl: 60 });
    await scene().must({ kind: 'updateDomain', author, name, soaEmail: 'dns@example.net' });
    await tenant.delete(name, record.id);
    const { serial } = domain;
    const changed = { ...record, ttl: 60 };
    const mine = { keyId: tenant.key.id, address: null, note: null, atMs: START_MS };
    const theirs = { keyId: tenant.key.id, address: author.address, note: author.note, atMs: author.atMs };
    const none = { soaPrimary: null, soaEmail: null };
    const expected = [
      { ...mine, serial: serial + 4, action: 'delete', old: changed, new: null, soa: null },
      {
        ...theirs,
        serial: serial + 3,
        action: 'domainUpdate',
        old: null,
        new: null,
        soa: { before: none, after: { ...none, soaEmail: 'dns@example.net' } },
      },
      { ...mine, serial: serial + 2, action: 'update', old: record, new: changed, soa: null },
      { ...theirs, serial: serial + 1, action: 'create', old: null, new: record, soa: null },
      { ...mine, serial, action: 'domainCreate', old: null, new: null, soa: null },
    ];
    const all = await scene().store.listChanges(domain, { direction: 'after', key: null, limit: 9 });
    expect(all).toMatchObject({ rows: expected, total: 5, hasBefore: false, hasAfter: false });
    for (const direction of ['after', 'before'] as const) {
      const pages = await walk<HistoryEntry>(
        direction,
        2,
        ({ seq }) => String(seq),
        (page) => scene().store.listChanges(domain, page),
      );
      const rows = (direction === 'after' ? pages : pages.reverse()).flatMap((page) => page.rows);
      expect(rows).toEqual(all.rows);
    }
  });
}

function revertSuite(scene: () => StoreScene): void {
  test('a domain can be shown at and reverted to any serial', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b', 'c']);
    const [a, b] = records;
    const states = [await state()];
    const steps = [
      () =>
        change(tenant, domain, {
          deletes: [a.id],
          updates: [{ id: b.id, patch: { name: 'bb' } }],
          creates: [],
        }),
      () => tenant.create(domain.name, newRecord('', 4)),
      () =>
        importZone(tenant, domain, [newRecord('x'), newRecord('c', 3, { ttl: 5 })], {
          soa: { soaEmail: 'a@b.example' },
        }),
      () => importZone(tenant, domain, []),
    ];
    for (const [at, step] of steps.entries()) {
      tenant.nowMs = START_MS + (at + 1) * 1000;
      expect(await step()).toMatchObject({ ok: true, changed: true });
      states.push(await state());
    }
    for (const [at, { serial, content }] of states.entries()) {
      expect(await past({ serial })).toEqual({ ok: true, value: { serial, ...content } });
      expect(await past({ atMs: START_MS + at * 1000 + 500 })).toEqual({
        ok: true,
        value: { serial, ...content },
      });
    }
    for (const { serial, content } of [...states, ...states.toReversed()]) {
      expect(await revert(tenant, domain, serial)).toMatchObject({ ok: true });
      expect((await state()).content).toEqual(content);
    }
    const now = await tenant.get(domain.name);
    expect(await revert(tenant, domain, now.serial)).toMatchObject({
      ok: true,
      changed: false,
      serial: now.serial,
    });

    async function past(moment: PastMoment) {
      const view = await scene().store.openZoneView(tenant.account.id, domain.name);
      if (view === undefined) throw new Error('the domain is there');
      return await readPastContent(view, moment).finally(() => view.close());
    }

    async function state() {
      const { serial, soaPrimary, soaEmail } = await tenant.get(domain.name);
      const content = { records: await readRecords(scene(), tenant, domain), soa: { soaPrimary, soaEmail } };
      return { serial, content };
    }
  });
}

function refusedRevertSuite(scene: () => StoreScene): void {
  test.for([
    ['before the first', -1],
    ['to come', 1],
    ['half the circle away', 2 ** 31],
  ] as const)('a serial %s is refused', async ([, step]) => {
    const { tenant, domain } = await filled(scene(), ['a']);
    expect(await revert(tenant, domain, (domain.serial + step) >>> 0)).toMatchObject({
      ok: false,
      refusal: { code: 'history_gone', message: expect.stringContaining('reach back') as string },
    });
  });

  test('a change and its reversal in one batch leave the content unchanged', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const results = await Promise.all([
      tenant.delete(domain.name, records[0].id),
      tenant.update(domain.name, records[1].id, { ttl: 5 }),
      revert(tenant, domain, domain.serial),
    ]);
    expect(results[2]).toMatchObject({ ok: true, changed: true });
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
  });
}

function revert(tenant: Tenant, { name }: Domain, to: number) {
  return tenant.scene.store.write({ kind: 'revertRecords', author: tenant.author, domain: name, to });
}
