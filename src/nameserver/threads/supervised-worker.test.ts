import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  askUdp,
  askUdpUntilAnswered,
  packet,
  TcpClient,
  threadsOf,
} from '../../../test/harness/nameserver/clients.ts';
import { limits, recordingLog, start, stopAll } from '../../../test/harness/nameserver/start-nameserver.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace, endEpoch, hasEveryoneLeft } from '../../zone/zone-space.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';

// Threads caught in an endless loop, and how the main thread handles them.
afterEach(stopAll);

/** A hang is detected within half a second; no busy machine pauses a thread for so long. */
const impatient = limits({
  supervision: { heartbeatMs: 5, checkIntervalMs: 20, silentChecks: 25, firstBackOffMs: 20 },
});

describe.each(isKoffiPlatform() ? (['koffi', 'dgram'] as const) : (['dgram'] as const))('over %s', (udp) => {
  test('a hung worker is replaced repeatedly, over UDP and TCP', async () => {
    const { log, lines } = recordingLog();
    const { nameserver, to } = await start({ udp, log, limits: impatient });
    for (let hung = 1; hung <= 3; hung++) {
      const before = Number((await askUdpUntilAnswered(to, 'thread')).body);
      await askUdp(to, [packet('hang')], 1, 20);
      expect(Number((await askUdpUntilAnswered(to, 'thread')).body)).toBeGreaterThan(before);
      const replaced = { workers: 1, answering: 1, fell: 0, hung };
      await expect.poll(() => nameserver.workerFigures()).toEqual(replaced);
    }
    const client = await TcpClient.open(to);
    client.send(packet('echo tcp too'));
    expect(await client.received(1)).toMatchObject([{ body: 'echo tcp too' }]);
    client.socket.destroy();
    expect(lines.filter((line) => line.includes('hung; replacing it'))).toHaveLength(3);
  });

  test('a busy worker is not replaced', async () => {
    const { nameserver, to } = await start({ udp, limits: impatient });
    const packets = Array.from({ length: 200 }, (_, id) => packet(`size 1000`, id));
    // Longer than the detection of a hang takes. Some answers are lost if they arrive faster than they are read.
    const endsAt = performance.now() + 750;
    while (performance.now() < endsAt) await askUdp(to, packets, packets.length, 20);
    expect(nameserver.workerFigures()).toEqual({ workers: 1, answering: 1, fell: 0, hung: 0 });
  });
});

describe.runIf(isKoffiPlatform())('over koffi alone', () => {
  test('the other workers answer all clients while a hung one is replaced', async () => {
    const { nameserver, to } = await start({ udp: 'koffi', workers: 2, limits: impatient });
    const before = await threadsOf(to);
    const flood = setInterval(() => void askUdp(to, [packet('none')], 1, 1), 2);
    onTestFinished(() => clearInterval(flood));
    await askUdp(to, [packet('hang')], 1, 1);
    await expect.poll(() => nameserver.workerFigures().hung).toBe(1);
    await expect.poll(() => nameserver.workerFigures().answering).toBe(2);
    const after = await threadsOf(to);
    expect(after).toHaveLength(40);
    expect(new Set(after).size).toBe(2);
    expect(new Set([...before, ...after]).size).toBe(3);
  });

  test('zone memory held by a hung worker is released', async () => {
    const zones = new ZoneMemory(createZoneSpace(2 ** 20, 1, 3));
    const { space } = zones;
    const { nameserver, to } = await start({
      memory: space.memory,
      answererModule: new URL('../../../test/harness/nameserver/hanging-answerer.ts', import.meta.url),
      limits: impatient,
    });
    const query = (queryClass: number): Buffer =>
      Buffer.from([0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 120, 0, 0, 1, queryClass >> 8, queryClass & 255]);
    const asked = askUdp(to, [query(0xff00)], 1, 20);
    let epoch = 0;
    const hasLeft = (): boolean => {
      epoch = endEpoch(space.words);
      return hasEveryoneLeft(space, epoch);
    };
    await expect.poll(hasLeft, { interval: 1 }).toBe(false);
    await asked;
    await expect.poll(() => nameserver.workerFigures().hung).toBe(1);
    await expect.poll(() => nameserver.workerFigures().answering).toBe(1);
    expect(hasEveryoneLeft(space, epoch)).toBe(true);
    expect(await askUdp(to, [query(1)])).toMatchObject([{ id: 7, isResponse: true }]);
  });
});

test('a thread that cannot be terminated is reported', async () => {
  const reasons: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-stuck-'));
  const { to } = await start({
    limits: limits({
      supervision: { heartbeatMs: 5, checkIntervalMs: 20, silentChecks: 25, exitWaitMs: 50 },
    }),
    onUnrecoverable: (reason) => void reasons.push(reason),
  });
  await askUdp(to, [packet(`stuck ${folder}`)], 1, 20);
  const reported = expect.poll(() => reasons).toEqual(['nameserver worker 0 hangs and cannot be terminated']);
  await reported.finally(() => rmSync(folder, { recursive: true }));
});
