import { expect, test } from 'vitest';
import type { RecordsChanged } from '../../model/record-changes.ts';
import type { Command } from '../../writes/command.ts';
import { revisionOf } from '../../writes/revision.ts';
import { filled, readRecords, rules } from './change-scene.test-support.ts';
import { newName, newRecord, type StoreScene } from './store-scene.test-support.ts';

const noSoa = { soaPrimary: null, soaEmail: null };

/** Dry runs, preconditions and revisions. */
export function preconditionSuite(scene: () => StoreScene): void {
  conditionSuite(scene);
  revisionSuite(scene);
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
