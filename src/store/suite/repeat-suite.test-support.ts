import { expect, test } from 'vitest';
import type { DomainRecord } from '../../model/record.ts';
import { filled } from './change-scene.test-support.ts';
import { newRecord, START_MS, type StoreScene } from './store-scene.test-support.ts';

/** Requests that are repeated with the same idempotency key. */
export function repeatSuite(scene: () => StoreScene): void {
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
