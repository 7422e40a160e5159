import { listDomains, listRecords, type Owner } from '../harness/fixtures.ts';
import type { SavedRecord } from './record-writer.ts';
import type { Acknowledged } from './writers.ts';

/* Compares the lists of the API with the acknowledged writes: every record and domain once, and nothing else. */

/** @param otherDomains must be listed too, but their records are not compared */
export async function compareLists(
  owner: Owner,
  domains: readonly string[],
  { saved, shared, churned }: Acknowledged,
  otherDomains: readonly string[] = [],
): Promise<string[]> {
  const faults: string[] = [];
  for (const domain of domains) faults.push(...(await compareRecords(owner, domain, saved, shared)));
  const listed = (await listDomains(owner)).map(({ domain }) => domain);
  const existing = [...churned].filter(([, exists]) => exists).map(([domain]) => domain);
  const expected = [...domains, ...otherDomains, ...existing].sort();
  if (listed.sort().join() !== expected.join())
    faults.push(`the domains ${listed.join()} are listed instead of ${expected.join()}`);
  return faults;
}

async function compareRecords(
  owner: Owner,
  domain: string,
  saved: Acknowledged['saved'],
  shared: Acknowledged['shared'],
): Promise<string[]> {
  const faults: string[] = [];
  const listed = (await listRecords(owner, domain)).filter(({ type }) => type !== 'NS');
  const ids = new Set(listed.map(({ id }) => id));
  if (ids.size !== listed.length) faults.push(`${domain}: an id is listed twice`);
  const contents = listed.map(({ name, type, data, priority }) => `${name} ${type} ${priority} ${data}`);
  if (new Set(contents).size !== contents.length) faults.push(`${domain}: a record is there twice`);
  for (const record of listed) {
    if (shared.get(`${domain}|${record.name}`) === record.id) continue;
    const expected = saved.get(record.id);
    if (expected === undefined)
      faults.push(`${domain}: ${JSON.stringify(record)} is back or was never acknowledged`);
    else if (!isSameRecord(expected, domain, record))
      faults.push(`${domain}: ${JSON.stringify(record)} was saved as ${JSON.stringify(expected.body)}`);
  }
  for (const record of saved.values()) {
    if (record.domain === domain && !ids.has(record.body.id))
      faults.push(`${domain}: ${JSON.stringify(record.body)} is missing`);
  }
  for (const [key, id] of shared) {
    if (key.startsWith(`${domain}|`) && !ids.has(id)) faults.push(`${key} is missing`);
  }
  return faults;
}

export function isSameRecord(expected: SavedRecord, domain: string, record: SavedRecord['body']): boolean {
  const members = ['id', 'type', 'name', 'data', 'priority', 'ttl'] as const;
  return expected.domain === domain && members.every((member) => expected.body[member] === record[member]);
}
