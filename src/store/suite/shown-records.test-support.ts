import { expect } from 'vitest';
import { parseRecord } from '../../model/parse-record.ts';
import type { DomainRecord, SentRecord } from '../../model/record.ts';
import { readRecords } from './change-scene.test-support.ts';
import { newId, newName, type Tenant } from './store-scene.test-support.ts';

const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };

/** Parses shown data like the HTTP interface. */
export function sentAsShown({ name, data, ttl }: DomainRecord): SentRecord {
  const parsed = parseRecord({ type: 'TXT', name, data, ttl }, newName(), rules);
  expect(parsed).toMatchObject({ ok: true });
  return { id: newId(), ...(parsed as { value: Omit<SentRecord, 'id'> }).value };
}

export async function readShown(
  tenant: Tenant,
  domain: Parameters<Tenant['get']>[0],
): Promise<readonly DomainRecord[]> {
  return readRecords(tenant.scene, tenant, await tenant.get(domain));
}
