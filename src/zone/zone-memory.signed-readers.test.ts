import { once } from 'node:events';
import { expect, test } from 'vitest';
import type {
  WindowReaderData,
  WindowReaderReport,
} from '../../test/harness/nameserver/signed-window-reader.ts';
import { windowChange, windowContent, windowOwners } from '../../test/harness/nameserver/signed-window.ts';
import { startWorker } from '../base/start-worker.ts';
import { apex } from './signed-zone.test-support.ts';
import { ZoneMemory } from './zone-memory.ts';
import { createZoneSpace } from './zone-space.ts';

const CHANGES = 3000;
/** The image moves and is loaded again, so that blocks are reused at once. */
const CHANGES_BEFORE_DROP = 400;
const reader = new URL('../../test/harness/nameserver/signed-window-reader.ts', import.meta.url);

test.each(['nsec', 'nsec3'] as const)(
  'threads see one version of a chain that changes, with %s',
  async (denial) => {
    const zones = new ZoneMemory(createZoneSpace(2 ** 20, 2, 17));
    zones.host(apex);
    const control = new SharedArrayBuffer(4);
    const readers = [0, 1].map((each) => {
      const workerData: WindowReaderData = { memory: zones.space.memory, reader: each, control };
      return startWorker(reader, { workerData });
    });
    await Promise.all(readers.map((worker) => once(worker, 'message')));
    for (let version = 1; version <= CHANGES; version++) {
      if (version % CHANGES_BEFORE_DROP === 0) zones.drop(apex);
      if (zones.findLoaded(apex) === undefined)
        zones.load(windowContent(version), windowOwners(version, denial));
      else zones.update(windowContent(version), windowChange(version, denial));
    }
    const reports = readers.map(async (worker) => (await once(worker, 'message'))[0] as WindowReaderReport);
    Atomics.store(new Int32Array(control), 0, 1);
    for (const { walks, changes, problems } of await Promise.all(reports)) {
      expect(problems).toEqual([]);
      expect(walks).toBeGreaterThan(10);
      expect(changes).toBeGreaterThan(5);
    }
  },
);
