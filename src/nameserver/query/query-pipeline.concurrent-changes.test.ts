import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/harness/random.ts';
import { apexOf, contentOf, name, ownersOf } from '../../../test/harness/nameserver/versioned-zones.ts';
import type { ReaderData, ReaderReport } from '../../../test/harness/nameserver/versioned-zones-reader.ts';
import { startWorker } from '../../base/start-worker.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';

const ZONES = 300;
/** Smaller than the zones, so that they evict each other and blocks are reused at once. */
const SPACE_BYTES = 2 ** 20;
/** The directory grows, and therefore moves, twice on the way to this size. */
const MOST_OTHER_NAMES = 4_000;
const CHANGES = 4_000;
const OTHERS_AT_ONCE = 8;

test('while zones change, load and unload, every answer comes from one version of its zone', async () => {
  const zones = new ZoneMemory(createZoneSpace(SPACE_BYTES, 2, 17));
  for (let zone = 0; zone < ZONES; zone++) zones.host(apexOf(zone));
  const control = new SharedArrayBuffer(4);
  const readers = [0, 1].map((reader) =>
    startReader({ memory: zones.space.memory, reader, control, zones: ZONES }),
  );
  await Promise.all(readers.map((worker) => once(worker, 'message')));
  changeZones(zones);
  const reports = readers.map(async (worker) => (await once(worker, 'message'))[0] as ReaderReport);
  Atomics.store(new Int32Array(control), 0, 1);
  for (const { answers, changes, problems } of await Promise.all(reports)) {
    expect(problems).toEqual([]);
    expect(answers).toBeGreaterThan(100);
    expect(changes).toBeGreaterThan(10);
  }
});

function startReader(workerData: ReaderData): Worker {
  return startWorker(new URL('../../../test/harness/nameserver/versioned-zones-reader.ts', import.meta.url), {
    workerData,
  });
}

/** Mostly updates; loads cold zones, and sometimes drops, forgets or adds zones. Versions only increase. */
function changeZones(zones: ZoneMemory): void {
  const random = seededRandom(3);
  let others = 0;
  for (let version = 1; version <= CHANGES; version++) {
    const zone = random.below(ZONES);
    const content = contentOf(zone, version);
    const chance = random.below(100);
    if (chance === 0) zones.drop(content.apex);
    else if (chance === 1) {
      zones.forget(content.apex);
      zones.host(content.apex);
    } else if (chance < 15 && others < MOST_OTHER_NAMES) {
      for (let i = 0; i < OTHERS_AT_ONCE; i++) hostWhenThereIsRoom(zones, `other-${others++}.example`);
    } else if (zones.findLoaded(content.apex) === undefined) zones.load(content, ownersOf(zone, version));
    else zones.update(content, ownersOf(zone, version));
  }
}

/** A busy machine may pause a reader for some seconds; beyond this, memory is never released. */
const PATIENCE_MS = 60_000;

/** A reader that is paused in the middle of an answer holds the memory that a larger directory needs. */
function hostWhenThereIsRoom(zones: ZoneMemory, text: string): void {
  // Only this loop runs here meanwhile; not even the test's timeout does.
  for (const endMs = performance.now() + PATIENCE_MS; !zones.host(name(text));) {
    if (performance.now() > endMs) throw new Error('the directory has no room');
  }
}
