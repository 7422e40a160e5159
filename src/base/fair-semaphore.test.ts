import { expect, test } from 'vitest';
import { FairSemaphore, type Release, type SemaphoreLimits } from './fair-semaphore.ts';

const limits: SemaphoreLimits = {
  permits: 2,
  permitsPerKey: 2,
  maxWaiting: 8,
  maxWaitingPerKey: 4,
  waitMs: 60_000,
};

/** Acquires permits for tasks such as `a1` (key `a`) and notes the order in which they get one. */
class Tasks {
  readonly semaphore: FairSemaphore;
  readonly started: string[] = [];
  readonly refused: string[] = [];
  private readonly releases = new Map<string, Release>();

  constructor(changed: Partial<SemaphoreLimits> = {}) {
    this.semaphore = new FairSemaphore({ ...limits, ...changed });
  }

  async start(task: string, signal?: AbortSignal): Promise<void> {
    const release = await this.semaphore.acquire(task.slice(0, 1), signal && (() => signal));
    if (release === undefined) this.refused.push(task);
    else {
      this.started.push(task);
      this.releases.set(task, release);
    }
  }

  startAll(tasks: string): Promise<void> {
    for (const task of tasks.split(' ')) void this.start(task);
    return settled();
  }

  end(task: string): Promise<void> {
    this.releases.get(task)?.();
    return settled();
  }

  /** Ends the tasks in the order in which they started, until none is left. */
  async endAll(): Promise<string> {
    for (let at = 0; at < this.started.length; at++) await this.end(this.started[at] ?? '');
    return this.started.join(' ');
  }
}

const settled = (): Promise<void> => new Promise(setImmediate);

test('acquire() grants no more permits than the limit, and serves waiting tasks in order', async () => {
  const tasks = new Tasks();
  await tasks.startAll('a1 a2 a3 a4');
  expect(tasks.started).toEqual(['a1', 'a2']);
  expect(tasks.semaphore.tryAcquire('b')).toBeUndefined();
  await tasks.end('a2');
  expect(tasks.started).toEqual(['a1', 'a2', 'a3']);
  expect(await tasks.endAll()).toBe('a1 a2 a3 a4');
});

test('releasing twice gives back one permit', async () => {
  const tasks = new Tasks({ permits: 1 });
  await tasks.startAll('a1 a2 a3');
  await tasks.end('a1');
  await tasks.end('a1');
  expect(tasks.started).toEqual(['a1', 'a2']);
});

test('keys are served in turn, however many tasks of one key wait', async () => {
  const tasks = new Tasks({ permits: 1 });
  await tasks.startAll('a1 a2 a3 a4 b1 b2 c1');
  expect(await tasks.endAll()).toBe('a1 b1 c1 a2 b2 a3 a4');
});

test('a key never holds more than its share, even if permits are free', async () => {
  const tasks = new Tasks({ permitsPerKey: 1 });
  await tasks.startAll('a1 a2 b1 c1');
  expect(tasks.started).toEqual(['a1', 'b1']);
  await tasks.end('b1');
  expect(tasks.started).toEqual(['a1', 'b1', 'c1']);
  expect(await tasks.endAll()).toBe('a1 b1 c1 a2');
});

test('tasks beyond the waiting limits, in total or per key, are refused at once', async () => {
  const tasks = new Tasks({ maxWaiting: 6 });
  await tasks.startAll('a1 a2 a3 a4 a5 a6 a7 b1 b2 b3');
  expect(tasks.refused).toEqual(['a7', 'b3']);
  await tasks.endAll();
  await tasks.startAll('a8 a9');
  expect(tasks.started.slice(-2)).toEqual(['a8', 'a9']);
});

test('an aborted task stops waiting and never starts', async () => {
  const tasks = new Tasks({ permits: 1 });
  const controller = new AbortController();
  await tasks.startAll('a1');
  void tasks.start('b1', controller.signal);
  void tasks.start('b2', AbortSignal.abort());
  await tasks.startAll('c1');
  controller.abort();
  await settled();
  expect(tasks.refused).toEqual(['b2', 'b1']);
  expect(await tasks.endAll()).toBe('a1 c1');
});

test('a task that waits too long is refused', async () => {
  const tasks = new Tasks({ permits: 1, waitMs: 1 });
  await tasks.startAll('a1');
  await tasks.start('b1');
  expect(tasks.refused).toEqual(['b1']);
  await tasks.end('a1');
  await tasks.startAll('c1');
  expect(tasks.started).toEqual(['a1', 'c1']);
});

test('work takes as many permits as it weighs, and heavy work is not overtaken', async () => {
  const semaphore = new FairSemaphore({ ...limits, permits: 10, permitsPerKey: 8 });
  const started: string[] = [];
  const start = async (name: string, weight: number): Promise<Release | undefined> => {
    const release = await semaphore.acquire(name, undefined, weight);
    started.push(name);
    return release;
  };
  const first = await start('a', 6);
  const [heavy, light] = [start('b', 8), start('c', 1)];
  await settled();
  expect(started).toEqual(['a']);
  expect(semaphore.tryAcquire('d')).toBeUndefined();
  first?.();
  const [heavyRelease, lightRelease] = await Promise.all([heavy, light]);
  expect(started).toEqual(['a', 'b', 'c']);
  expect(semaphore.heldBy('b')).toBe(8);
  heavyRelease?.();
  lightRelease?.();
  // More than a key may hold counts as all that it may hold.
  expect(semaphore.tryAcquire('e', 1000)).toBeDefined();
  expect(semaphore.heldBy('e')).toBe(8);
});

test('work that gives up lets the lighter work behind it start', async () => {
  const semaphore = new FairSemaphore({ ...limits, permits: 10, permitsPerKey: 8 });
  semaphore.tryAcquire('a', 6);
  const gone = new AbortController();
  const heavy = semaphore.acquire('b', () => gone.signal, 8);
  const light = semaphore.acquire('c', undefined, 1);
  gone.abort();
  expect(await heavy).toBeUndefined();
  expect(await light).toBeDefined();
});
