import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import type { Command } from '../../writes/command.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { MAX_PREPARATIONS } from '../../writes/prepared-write.ts';
import { CommitInDoubt, StoreUnavailable } from '../../writes/store-errors.ts';
import { manyRecords } from '../suite/large-write-suite.test-support.ts';
import { openServedStore } from '../suite/served-store.test-support.ts';
import { sceneClock, StoreScene } from '../suite/store-scene.test-support.ts';
import { LogGate } from './log-gate.ts';
import { storePath } from './open-store-files.ts';
import type { StagedWrite } from './preparing-messages.ts';
import { PreparingThreads, type PreparedWriter, type TakenWrite } from './preparing-threads.ts';
import { stagedPath } from './staged-files.ts';

let folder: string;
let command: Command;
let domainId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog });
  const tenant = await new StoreScene(store).newAccount();
  const { name, id } = await tenant.createDomain();
  domainId = id;
  const records = manyRecords('r', LARGE_ROWS + 1);
  command = { kind: 'importZone', author: tenant.author, domain: name, records, mode: 'replace', soa: null };
  await store.close();
});

afterAll(() => rm(folder, { recursive: true }));

/** Preparing threads with a writer that replies as told, and what it was given. */
function openThreads(...replies: TakenWrite[]) {
  const path = storePath(folder);
  const staged: (StagedWrite & { readonly wasThere: boolean })[] = [];
  const gate = new LogGate(path, () => Promise.resolve());
  const writer: PreparedWriter = {
    takeOver: (write) => {
      staged.push({ ...write, wasThere: existsSync(write.path) });
      return Promise.resolve(replies[staged.length - 1] ?? { kind: 'moved' });
    },
    reserveDomainId: () => Promise.resolve(domainId + staged.length),
  };
  const data = { path, quotas: undefined, dnssec: undefined };
  const threads = new PreparingThreads({ data, clock: systemClock, log: silentLog, gate, writer }, 'large');
  return { threads, staged };
}

function written(served: Promise<void> = Promise.resolve()): TakenWrite {
  return { kind: 'written', served };
}

test('a write that is not served yet does not keep the next one waiting', async () => {
  let serve = (): void => undefined;
  const { threads, staged } = openThreads(written(new Promise((resolve) => (serve = resolve))), written());
  let isAnswered = false;
  const first = threads.run(command).then(() => (isAnswered = true));
  expect(await threads.run(command)).toMatchObject({ ok: true });
  expect([staged.length, isAnswered]).toEqual([2, false]);
  serve();
  await first;
  await threads.close();
});

test('a write that is not served in time is in doubt', async () => {
  const late = Promise.reject<undefined>(new CommitInDoubt('late'));
  late.catch(() => undefined);
  const { threads } = openThreads(written(late));
  await expect(threads.run(command)).rejects.toThrow(CommitInDoubt);
  await threads.close();
});

test('a write whose basis moves every time is left to the writer after a number of attempts', async () => {
  const { threads, staged } = openThreads();
  expect(await threads.run(command)).toBeUndefined();
  expect(staged).toHaveLength(MAX_PREPARATIONS);
  expect(staged.every(({ wasThere }) => wasThere)).toBe(true);
  expect(existsSync(staged[0].path)).toBe(false);
  await threads.close();
});

test('a write that is prepared again gets an id for the domain that it creates', async () => {
  const { threads, staged } = openThreads({ kind: 'moved' }, written());
  const name = 'new.example' as never;
  const result = await threads.run({ ...command, domain: name, nameservers: [] } as Command);
  const ids = staged.map(({ text }) => {
    const { writes } = JSON.parse(text) as { writes: { createdDomains: { id: number }[] } };
    return writes.createdDomains[0].id;
  });
  expect(ids).toEqual([domainId + 1, domainId + 1]);
  expect(staged.every(({ createsDomain }) => createsDomain)).toBe(true);
  expect(result).toMatchObject({ ok: true });
  expect(result?.ok && result.revision).toMatch(new RegExp(`^"${(domainId + 1).toString(16)}-`));
  await threads.close();
});

test.each<[string, TakenWrite]>([
  ['the store cannot be written: full', { kind: 'unavailable', message: 'full' }],
  ['it is unknown whether this was written: lost', { kind: 'unknown', message: 'lost' }],
])('a failure of the writer fails the command: %s', async (message, reply) => {
  const { threads, staged } = openThreads(reply);
  await expect(threads.run(command)).rejects.toThrow(message);
  expect(existsSync(staged[0].path)).toBe(false);
  await threads.close();
});

test('a write whose client has gone is not passed on to the writer', async () => {
  const { threads, staged } = openThreads();
  const client = new AbortController();
  const running = threads.run(command, () => client.signal);
  client.abort();
  await expect(running).rejects.toThrow(StoreUnavailable);
  expect(staged).toEqual([]);
  await threads.close();
  await expect(threads.run(command)).rejects.toThrow(StoreUnavailable);
});

test('a file that a killed process left is removed when the store is opened', async () => {
  const path = stagedPath(storePath(folder), 1);
  writeFileSync(path, 'half a file');
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog });
  expect(existsSync(path)).toBe(false);
  await store.close();
});
