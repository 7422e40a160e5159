import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import type { Domain } from '../model/domain.ts';
import { MAX_ZONE_OCTETS } from '../model/write-limits.ts';
import type { Command } from './command.ts';
import { author, record, storedZone, zone } from './decide-scene.test-support.ts';
import { decide } from './decide.ts';
import { PendingBatch } from './pending-batch.ts';
import { findHistoryRefusal } from './refuse-history.ts';
import { noCounters, readMemoryRows } from './row-reader.test-support.ts';

const domain: Domain = { ...storedZone, recordCount: 5, octets: MAX_ZONE_OCTETS };
const later = { changes: [], reachesBack: true };

test('findHistoryRefusal() refuses domains and histories with more octets than are handled at once', () => {
  expect(findHistoryRefusal(domain, 'serial 5', later)).toBeUndefined();
  expect(findHistoryRefusal({ ...domain, octets: MAX_ZONE_OCTETS + 1 }, 'serial 5', later)).toMatchObject({
    refusal: { code: 'invalid_request' },
  });
  expect(findHistoryRefusal(domain, 'serial 5', { ...later, isTooLong: true })).toMatchObject({
    refusal: { code: 'history_gone' },
  });
});

test.each<[string, Command]>([
  [
    'replaced',
    {
      kind: 'importZone',
      author,
      domain: zone,
      records: [record('a', 'a A 192.0.2.1')],
      mode: 'replace',
      soa: null,
    },
  ],
  ['listed', { kind: 'restoreDomain', author, name: zone, dryRun: true }],
])('a domain with too many octets is not %s, and none of its records is read', (done, command) => {
  const tooLong = { ...domain, octets: MAX_ZONE_OCTETS + 1, contentHash: null, deletedAtMs: 0 };
  const rows = readMemoryRows(done === 'listed' ? { deletedDomains: [tooLong] } : { domains: [tooLong] });
  const unread = { ...rows, recordsOf: () => expect.unreachable(), findHolder: () => undefined };
  const batch = new PendingBatch(unread, { ...noCounters, lastDomainId: 1 });
  batch.begin(author);
  expect(finishSteps(decide(command, batch))).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_request', message: expect.stringContaining(`can be ${done}`) as string },
  });
});
