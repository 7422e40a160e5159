import { expect, test } from 'vitest';
import type { RecordChanges } from '../../model/record-changes.ts';
import { revisionOf } from '../../writes/revision.ts';
import { change, filled, readRecords } from './change-scene.test-support.ts';
import { newRecord, replayUpdates, type StoreScene } from './store-scene.test-support.ts';

const nothing: RecordChanges = { deletes: [], updates: [], creates: [] };

/** Batches of changes to one domain. */
export function batchSuite(scene: () => StoreScene): void {
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

  test('a batch whose result exists already changes nothing', async () => {
    const { tenant, domain } = await filled(scene(), ['a', 'b']);
    const creates = [newRecord('a', 1), newRecord('b', 2)];
    const result = await change(tenant, domain, { ...nothing, creates });
    expect(result).toMatchObject({
      ok: true,
      changed: false,
      serial: domain.serial,
      value: { unchanged: 2 },
    });
  });
}
