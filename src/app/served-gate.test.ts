import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import type { LinkClient } from './link-client.ts';
import type { ZoneName } from '../model/domain.ts';
import type { NameserverState } from './link-messages.ts';
import { ServedGate } from './served-gate.ts';

const following = {
  phase: 'following',
  feedSeq: 9,
  lagMs: 0,
  pid: 1,
  workers: 1,
  answering: 1,
  addresses: [],
  former: [],
} as const;

/** A nameserver process that serves what it is told to. */
class Nameserver {
  state: NameserverState | undefined;
  readonly wakes: number[] = [];
  private listener = (): void => undefined;

  onMessage(listener: () => void): void {
    this.listener = listener;
  }

  wake(seq: number): void {
    this.wakes.push(seq);
  }

  send(state: NameserverState | undefined): void {
    this.state = state;
    this.listener();
  }

  /** @param former names that are served in a former version */
  serve(seq: number, former: readonly ZoneName[] = []): void {
    this.send({ ...following, seq, former: former.map((name) => ({ name, serial: 7 })) });
  }
}

let nameserver: Nameserver;
let gate: ServedGate;
beforeEach(() => {
  vi.useFakeTimers();
  nameserver = new Nameserver();
  gate = new ServedGate(nameserver as unknown as LinkClient);
});
afterEach(() => {
  gate.close();
  vi.useRealTimers();
});

/** Describes the present state of a promise. */
async function stateOf(promise: Promise<void> | undefined): Promise<string> {
  if (promise === undefined) return 'at once';
  let state = 'pending';
  promise.then(
    () => (state = 'resolved'),
    (error: unknown) => (state = (error as Error).name),
  );
  await vi.advanceTimersByTimeAsync(0);
  return state;
}

/** The nameserver process repeats its state each second, as long as it lives. */
async function pass(ms: number, isAlive = true): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    if (isAlive && nameserver.state !== undefined) nameserver.send(nameserver.state);
    await vi.advanceTimersByTimeAsync(Math.min(left, 1000));
  }
}

test('a write is admitted at once and answered when it is served', async () => {
  nameserver.serve(5);
  expect(gate.beforeWrite()).toBeUndefined();
  const served = gate.afterCommit(7);
  nameserver.serve(6);
  expect([await stateOf(served), nameserver.wakes]).toEqual(['pending', [7]]);
  nameserver.serve(7);
  expect(await stateOf(served)).toBe('resolved');
});

test('a nameserver process that the writer wakes is woken again if it serves nothing for a tick', async () => {
  gate.close();
  gate = new ServedGate(nameserver as unknown as LinkClient, '/run/wake');
  nameserver.serve(5);
  const served = gate.afterCommit(7);
  expect(nameserver.wakes).toEqual([]);
  await pass(1000);
  expect([await stateOf(served), nameserver.wakes]).toEqual(['pending', [7]]);
});

test('a write whose changes are served already is answered without a wake', async () => {
  nameserver.serve(5);
  expect([await stateOf(gate.afterCommit(5)), nameserver.wakes]).toEqual(['resolved', []]);
});

test('while the nameserver process is away, a write waits two seconds and is refused', async () => {
  const admitted = gate.beforeWrite();
  await pass(1500);
  expect(await stateOf(admitted)).toBe('pending');
  await pass(1000);
  expect(await stateOf(admitted)).toBe('StoreUnavailable');
  await expect(admitted).rejects.toBeInstanceOf(StoreUnavailable);
});

test('a write is admitted as soon as the nameserver process is back', async () => {
  const admitted = gate.beforeWrite();
  nameserver.serve(5);
  expect(await stateOf(admitted)).toBe('resolved');
});

test('a committed write waits for a successor, which is woken', async () => {
  nameserver.serve(5);
  const served = gate.afterCommit(7);
  nameserver.send(undefined);
  await pass(8000);
  expect(await stateOf(served)).toBe('pending');
  nameserver.serve(5);
  expect(nameserver.wakes).toEqual([7, 7]);
  nameserver.serve(7);
  expect(await stateOf(served)).toBe('resolved');
});

test('a committed write that no successor serves in time ends in doubt', async () => {
  nameserver.serve(5);
  const served = gate.afterCommit(7);
  const ended = served.catch((error: unknown) => error);
  nameserver.send(undefined);
  await pass(11_000);
  expect(await ended).toBeInstanceOf(CommitInDoubt);
});

test('a nameserver process has more time for an import, and is late after that', async () => {
  nameserver.serve(5);
  const served = gate.afterCommit(5 + 400_000);
  const beside = gate.afterCommit(5 + 400_001);
  const ended = served.catch((error: unknown) => error);
  await pass(7000);
  expect([gate.condition, gate.beforeWrite()]).toEqual(['serving', undefined]);
  await pass(1000);
  expect(gate.condition).toBe('behind');
  await pass(8000);
  expect(await stateOf(beside)).toBe('pending');
  await pass(1000);
  expect(await ended).toBeInstanceOf(CommitInDoubt);
  await expect(beside).rejects.toBeInstanceOf(CommitInDoubt);
});

const slow = 'slow.example' as ZoneName;
const other = 'other.example' as ZoneName;

test('a write to a domain that is served in a former version waits for the new one; others do not wait', async () => {
  nameserver.serve(7, [slow]);
  expect(await stateOf(gate.afterCommit(7))).toBe('resolved');
  expect(gate.whenShown(other, 7)).toBeUndefined();
  const shown = gate.whenShown(slow, 7);
  const later = gate.whenShown(slow, 8);
  await pass(25_000);
  expect([await stateOf(shown), gate.condition, gate.beforeWrite()]).toEqual([
    'pending',
    'serving',
    undefined,
  ]);
  expect([gate.formerSerial(slow), gate.formerSerial(other)]).toEqual([7, undefined]);
  nameserver.serve(7);
  expect([await stateOf(shown), await stateOf(later)]).toEqual(['resolved', 'pending']);
  nameserver.serve(8);
  expect(await stateOf(later)).toBe('resolved');
});

test('a write to a domain that is never shown ends in doubt after forty seconds', async () => {
  nameserver.serve(7, [slow]);
  const ended = gate.whenShown(slow, 7)?.catch((error: unknown) => error);
  await pass(39_000);
  expect(await stateOf(ended as Promise<void>)).toBe('pending');
  await pass(2000);
  expect(await ended).toBeInstanceOf(CommitInDoubt);
});

test('a nameserver process that ends while it loads a domain has ten seconds to return', async () => {
  nameserver.serve(7, [slow]);
  const [shown, lost] = [gate.whenShown(slow, 7), gate.whenShown(slow, 9)];
  const ended = lost?.catch((error: unknown) => error);
  await pass(20_000);
  nameserver.send(undefined);
  await pass(8000);
  expect(await stateOf(shown)).toBe('pending');
  nameserver.serve(7);
  expect(await stateOf(shown)).toBe('resolved');
  await pass(3000);
  expect(await ended).toBeInstanceOf(CommitInDoubt);
});

test.each([
  ['that is silent', 'silent', () => pass(4000, false)],
  ['that is late with a write', 'behind', () => lateWrite()],
  ['that has lost the store', 'behind', () => lose('away')],
  ['that copies all zones', 'behind', () => lose('copying')],
])('no write is admitted beside a nameserver process %s', async (_, condition, happen) => {
  nameserver.serve(5);
  await happen();
  expect(gate.condition).toBe(condition);
  expect(await stateOf(gate.beforeWrite())).toBe('pending');
  nameserver.serve(9);
  expect(gate.condition).toBe('serving');
});

async function lateWrite(): Promise<void> {
  gate.afterCommit(9).catch(() => undefined);
  await pass(1500);
}

function lose(phase: 'away' | 'copying'): Promise<void> {
  nameserver.send({ ...following, phase, seq: 5 });
  return Promise.resolve();
}

test('a zone that the nameserver process has found damaged does not count as served', () => {
  const [one, two] = ['one.example', 'two.example'] as ZoneName[];
  const served = (): boolean[] => [one, two].map((name) => gate.serves(name));
  const doubt = { damagedZones: 1, isDamage: true, reason: 'One is damaged' };
  nameserver.serve(5);
  expect(served()).toEqual([true, true]);
  nameserver.send({ ...following, seq: 5, doubt: { ...doubt, about: 'some', zones: [one] } });
  expect(served()).toEqual([false, true]);
  nameserver.send({ ...following, seq: 5, doubt: { ...doubt, about: 'all' } });
  expect(served()).toEqual([false, false]);
});
