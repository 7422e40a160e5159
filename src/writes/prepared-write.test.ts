import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { finishSteps } from '../base/steps.ts';
import { defaultLimits, noUsage } from '../model/account-limits.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { Counters } from './batch-writes.ts';
import { defaultQuotas } from './check-quotas.ts';
import type { Command } from './command.ts';
import { recordReads } from './decision-basis.ts';
import { author, record, stranger, storedZone, zone } from './decide-scene.test-support.ts';
import { PendingBatch } from './pending-batch.ts';
import { rebaseWrites, type PreparedWrite } from './prepared-write.ts';
import { readMemoryRows, type MemoryRows } from './row-reader.test-support.ts';
import { runBatch } from './run-batch.ts';

const domain: Domain = { ...storedZone, recordCount: 1, octets: 100 };
const rows: MemoryRows = {
  domains: [domain],
  records: { [domain.id]: [record('ns', '@ NS ns1.example.net')] },
};
const counters: Counters = { lastSeq: 10, lastDomainId: 1, accountCount: 2, keyCount: 2, domainCount: 1 };

const replace: Command = {
  kind: 'importZone',
  author: { ...author, note: 'why' },
  domain: zone,
  records: [record('a', 'a A 192.0.2.1'), record('b', 'b A 192.0.2.2')],
  mode: 'replace',
  soa: null,
};
const fresh = 'fresh.example.org' as ZoneName;
const create: Command = { ...replace, domain: fresh, nameservers: [] };

/** Decides a command on the rows, as a preparing thread does; the result crosses threads as JSON. */
function prepare(command: Command, domainId: number | null = null): PreparedWrite {
  const { reader, basis } = recordReads(readMemoryRows(rows));
  const before = domainId === null ? counters : { ...counters, lastDomainId: domainId - 1 };
  const batch = new PendingBatch(reader, before);
  const [decision] = finishSteps(runBatch([command], batch, () => false));
  expect(decision).toMatchObject({ kind: 'decided', result: { ok: true, changed: true } });
  const hasReservedId = domainId !== null;
  const prepared = { basis, counters: before, hasReservedId, writes: batch.finish() };
  return JSON.parse(JSON.stringify(prepared)) as PreparedWrite;
}

test('rebaseWrites() moves a write to the end of the feed and adds to the counters', () => {
  const now = { ...counters, lastSeq: 110, lastDomainId: 5, accountCount: 4, keyCount: 9, domainCount: 5 };
  const rebased = rebaseWrites(prepare(replace), now, readMemoryRows(rows));
  assert(rebased.kind === 'ready', 'nothing has moved');
  expect(rebased.seqStep).toBe(100);
  expect(rebased.writes.counters).toEqual({ ...now, lastSeq: 112 });
  expect(rebased.writes.changeAuthors).toEqual([{ firstSeq: 111, lastSeq: 112, address: null, note: 'why' }]);
});

test.each<[string, Command, MemoryRows]>([
  ['the domain was written', replace, { ...rows, domains: [{ ...domain, serial: 8 }] }],
  ['the domain was deleted', replace, {}],
  [
    'another domain has the name',
    create,
    { ...rows, domains: [domain, { ...domain, id: 9, name: fresh, accountId: stranger.accountId }] },
  ],
  [
    'another account has a domain above',
    create,
    {
      ...rows,
      domains: [domain, { ...domain, id: 9, name: 'example.org' as ZoneName, accountId: stranger.accountId }],
    },
  ],
  [
    'another account has a domain below',
    create,
    {
      ...rows,
      domains: [domain, { ...domain, id: 9, name: `x.${fresh}` as ZoneName, accountId: stranger.accountId }],
    },
  ],
  ['a domain of that name was deleted', create, { ...rows, retiredSerials: { [fresh]: 1_795_000_001 } }],
])('rebaseWrites() finds that %s', (_, command, now) => {
  const prepared = prepare(command);
  expect(rebaseWrites(prepared, counters, readMemoryRows(rows)).kind).toBe('ready');
  expect(rebaseWrites(prepared, counters, readMemoryRows(now)).kind).toBe('moved');
});

test('rebaseWrites() takes the id of a new domain only if it is still free or was reserved', () => {
  const now = { ...counters, lastDomainId: 2 };
  const reader = readMemoryRows(rows);
  expect(rebaseWrites(prepare(create), now, reader).kind).toBe('moved');
  const rebased = rebaseWrites(prepare(create, 2), { ...counters, lastDomainId: 7 }, reader);
  assert(rebased.kind === 'ready', 'the id was reserved');
  expect(rebased.writes.createdDomains).toMatchObject([{ id: 2, name: fresh }]);
  expect(rebased.writes.counters).toMatchObject({ lastDomainId: 7, domainCount: 2 });
});

test('rebaseWrites() refuses a write for whose records others have left no room', () => {
  const prepared = prepare(replace);
  const used = (records: number) => ({
    ...rows,
    quotas: { [author.accountId]: { usage: { ...noUsage, records }, overrides: {} } },
  });
  const { records: limit } = defaultLimits;
  expect(rebaseWrites(prepared, counters, readMemoryRows(used(limit - 2))).kind).toBe('ready');
  expect(rebaseWrites(prepared, counters, readMemoryRows(used(limit - 1)))).toMatchObject({
    kind: 'refused',
    result: { refusal: { code: 'quota_exceeded' } },
  });
  const full = { ...defaultQuotas, hostedDomains: 1 };
  expect(rebaseWrites(prepared, counters, readMemoryRows(rows), full).kind).toBe('ready');
  expect(rebaseWrites(prepare(create), counters, readMemoryRows(rows), full)).toMatchObject({
    kind: 'refused',
    result: { refusal: { code: 'quota_exceeded' } },
  });
});
