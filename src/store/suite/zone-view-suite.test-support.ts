import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import { newName, newRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';
import { VIEW_SLICE_OCTETS, VIEW_SLICE_RECORDS, type ZoneView } from '../zone-view.ts';

/** Snapshots of whole zones. */
export function zoneViewSuite(scene: () => StoreScene): void {
  repeatedReadSuite(scene);

  test('a view shows all records, owner by owner, as they were when it was opened', async () => {
    const tenant = await scene().newAccount();
    const { name, serial } = await tenant.createDomain(newName(), [newRecord('', 9)]);
    for (const owner of ['b', 'a', 'b']) {
      await tenant.create(name, newRecord(owner, owner === 'a' ? 1 : scene().updates.length % 200));
    }
    const view = await openView(scene(), tenant, name);
    const [record] = (
      await scene().store.listRecords(view.domain, { direction: 'after', key: null, limit: 1 })
    ).rows;
    await tenant.delete(name, record.id);
    await tenant.create(name, newRecord('aa'));
    expect(view.domain).toMatchObject({ name, serial: serial + 3, recordCount: 4 });
    const rows = await readAll(view);
    expect(rows.map(({ owner }) => owner)).toEqual(['', 'a', 'b', 'b']);
    expect(rows.map(({ id }) => id)).toContain(record.id);
    const later = await openView(scene(), tenant, name);
    expect((await readAll(later)).map(({ owner }) => owner)).toEqual(['a', 'aa', 'b', 'b']);
  });

  test('a view of several slices returns each record once', async () => {
    const tenant = await scene().newAccount();
    const count = VIEW_SLICE_RECORDS + 5;
    const records = Array.from({ length: count }, (_, at) => newRecord('one', 1, { ttl: at + 1 }));
    const { name } = await tenant.createDomain(newName(), records);
    const view = await openView(scene(), tenant, name);
    const rows = await readAll(view);
    expect(rows.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  });

  test('a slice of long records has few of them', async () => {
    const tenant = await scene().newAccount();
    const records = Array.from({ length: 20 }, () => newRecord('long', 1, { rdata: new Uint8Array(60_000) }));
    const { name } = await tenant.createDomain(newName(), records);
    const view = await openView(scene(), tenant, name);
    const ids: string[] = [];
    for await (const slice of view.slices()) {
      expect(slice.length).toBeLessThanOrEqual(VIEW_SLICE_OCTETS / 60_000 + 1);
      for (const { id } of slice) ids.push(id);
    }
    await view.close();
    expect(ids).toEqual(records.map(({ id }) => id));
  });

  test('no view can be opened for an unknown domain or a domain of another account', async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    const { name } = await tenant.createDomain();
    expect(await scene().store.openZoneView(other.account.id, name)).toBeUndefined();
    expect(await scene().store.openZoneView(tenant.account.id, newName())).toBeUndefined();
  });
}

function repeatedReadSuite(scene: () => StoreScene): void {
  test('a view can be read again, and shows the same moment', async () => {
    const tenant = await scene().newAccount();
    const records = Array.from({ length: VIEW_SLICE_RECORDS + 5 }, () => newRecord('one'));
    const { name } = await tenant.createDomain(newName(), records);
    const view = await openView(scene(), tenant, name);
    const read = async (): Promise<string[]> => {
      const ids: string[] = [];
      for await (const slice of view.slices()) ids.push(...slice.map(({ id }) => id));
      return ids;
    };
    const first = await read();
    await tenant.create(name, newRecord('one'));
    expect(await read()).toEqual(first);
    expect(await read()).toEqual(first);
    await view.close();
    expect(first).toEqual(records.map(({ id }) => id));
  });
}

async function openView({ store }: StoreScene, { account }: Tenant, name: ZoneName): Promise<ZoneView> {
  const view = await store.openZoneView(account.id, name);
  assert(view !== undefined, `${name} is there`);
  return view;
}

async function readAll(view: ZoneView): Promise<readonly DomainRecord[]> {
  const rows: DomainRecord[] = [];
  for await (const slice of view.slices()) rows.push(...slice);
  await view.close();
  await view.close();
  return rows;
}
