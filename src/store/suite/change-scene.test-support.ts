import type { Domain, ZoneName } from '../../model/domain.ts';
import type { RecordChanges } from '../../model/record-changes.ts';
import type { DomainRecord, OwnerKey, SentRecord } from '../../model/record.ts';
import type { CommandOf } from '../../writes/command.ts';
import { newName, newRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';

export const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };

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
