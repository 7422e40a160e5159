import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import { parseDomainName } from '../../dns/name.ts';
import type { OwnerKey } from '../../model/record.ts';
import { newRecord, valueOf, type StoreScene } from './store-scene.test-support.ts';

/** The records of one name, without their data. */
export function nameReadsSuite(scene: () => StoreScene): void {
  test('what has changed in a domain is read without data, latest first', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const record = valueOf(await tenant.create(name, newRecord('www')));
    await tenant.update(name, record.id, { name: 'moved' });
    const { names } = scene().store;
    const domain = await tenant.get(name);
    const changes = await names.changesBefore(domain, Number.MAX_SAFE_INTEGER, 10);
    const { id, type } = record;
    const about = { id, type, rdata: null };
    expect(changes).toMatchObject([
      { kind: 'recordPut', serial: domain.serial, record: { ...about, owner: 'moved' } },
      { kind: 'recordDelete', serial: domain.serial, record: { ...about, owner: 'www' } },
      { kind: 'recordPut', record: { ...about, owner: 'www' } },
      { kind: 'domainPut', record: null },
    ]);
    expect(await names.changesBefore(domain, changes[0].seq, 1)).toEqual([changes[1]]);
    expect(await names.changesBefore(domain, changes[3].seq, 5)).toEqual([]);
  });

  test('the records of one name are read with their types, and the octets of those that name another', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const target = parseDomainName('ns.example.net.');
    if (!target.ok) throw new Error(target.problem);
    const about = { data: 'ns.example.net', rdata: target.value };
    const first = valueOf(await tenant.create(name, newRecord('www')));
    const second = valueOf(await tenant.create(name, { ...newRecord('www'), type: rrType.NS, ...about }));
    valueOf(await tenant.create(name, newRecord('other')));
    const domain = await tenant.get(name);
    const read = (owner: string, limit: number) =>
      scene().store.names.recordsAt(domain, owner as OwnerKey, limit);
    const found = await read('www', 10);
    expect(found).toEqual([
      { id: first.id, type: first.type, rdata: null },
      { id: second.id, type: rrType.NS, rdata: expect.anything() as unknown },
    ]);
    expect(Buffer.from(found[1].rdata ?? [])).toEqual(Buffer.from(target.value));
    expect(await read('www', 1)).toHaveLength(1);
    expect(await read('nobody', 10)).toEqual([]);
    expect(await read('a\0b', 10)).toEqual([]);
  });
}
