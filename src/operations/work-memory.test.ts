import { expect, test } from 'vitest';
import { StoreBusy } from '../writes/store-errors.ts';
import { ShareTooLarge, SMALL_SHARE_OCTETS, WorkMemory, type WorkShare } from './work-memory.ts';

const MIB = 2 ** 20;
const ALL = 256 * MIB;

const settled = (): Promise<void> => new Promise(setImmediate);

test('forty pieces of large work of one account take turns, and small work of another waits for none of them', async () => {
  const memory = new WorkMemory(ALL);
  let held = 0;
  const asked = Array.from({ length: 40 }, async () => {
    const share = await memory.reserve('busy', 180 * MIB);
    held++;
    return share;
  });
  await settled();
  expect(held).toBe(1);
  const others = [await memory.reserve('other', 64 * MIB), await memory.reserve('other', 1000)];
  for (const other of others) other.release();
  for (const each of asked) (await each).release();
  expect(held).toBe(40);
});

test('an account never has more than three quarters, which covers all its work', async () => {
  const memory = new WorkMemory(ALL);
  const share = await memory.reserve('a', 1000 * MIB);
  expect(share.octets).toBe(192 * MIB);
  await share.extendTo(2000 * MIB);
  expect(() => share.growTo(193 * MIB)).toThrow(ShareTooLarge);
  const other = await memory.reserve('b', 64 * MIB);
  expect(() => other.growTo(65 * MIB)).toThrow(StoreBusy);
  share.release();
  other.growTo(65 * MIB);
  expect(other.octets).toBe(65 * MIB);
});

test('a small share waits when it becomes large, and holds nothing meanwhile that others wait for', async () => {
  const memory = new WorkMemory(ALL);
  const large = await memory.reserve('a', 192 * MIB);
  const small = await memory.reserve('a', 1000);
  let isExtended = false;
  const extending = small.extendTo(10 * MIB).then(() => (isExtended = true));
  await settled();
  expect(isExtended).toBe(false);
  large.release();
  await extending;
  expect(small.octets).toBe(10 * MIB);
});

test('small shares that are extended twice never wait for each other in a circle', async () => {
  const memory = new WorkMemory(ALL);
  const shares = await Promise.all(Array.from({ length: 8 }, () => memory.reserve('a', MIB)));
  const works = shares.map(async (share) => {
    await share.extendTo(4 * MIB);
    await settled();
    await share.extendTo(8 * MIB);
    share.release();
  });
  expect(await Promise.allSettled(works)).toEqual(
    works.map(() => ({ status: 'fulfilled', value: undefined })),
  );
});

test('a small share is extended a third time at once or not at all', async () => {
  const memory = new WorkMemory(ALL);
  const share = await memory.reserve('a', MIB);
  for (const octets of [2 * MIB, 3 * MIB]) await share.extendTo(octets);
  const others: WorkShare[] = [];
  for (const octets of [8 * MIB, 8 * MIB, 7 * MIB]) {
    const other = await memory.reserve('a', 1);
    await other.extendTo(octets);
    others.push(other);
  }
  await expect(share.extendTo(4 * MIB)).rejects.toThrow(StoreBusy);
  for (const other of others) other.release();
  await share.extendTo(4 * MIB);
  share.release();
});

test('a large share is extended at once or not at all', async () => {
  const memory = new WorkMemory(ALL);
  const [a, b] = [await memory.reserve('a', 100 * MIB), await memory.reserve('b', 100 * MIB)];
  await expect(a.extendTo(190 * MIB)).rejects.toThrow(StoreBusy);
  b.release();
  await a.extendTo(190 * MIB);
  expect(a.octets).toBe(190 * MIB);
});

test('everything is free again after all shares are released, whatever they grew to', async () => {
  const memory = new WorkMemory(ALL);
  for (let round = 0; round < 5; round++) {
    const share = await memory.reserve('a', 1000);
    share.growTo(SMALL_SHARE_OCTETS);
    share.growTo(50 * MIB);
    share.growTo(100 * MIB);
    share.release();
    share.release();
  }
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((account) => memory.reserve(account, 64 * MIB)));
  const small = await Promise.all(['a', 'b'].map((account) => memory.reserve(account, SMALL_SHARE_OCTETS)));
  for (const share of [...all, ...small]) share.release();
});

test('work whose client has gone gives up its place', async () => {
  const memory = new WorkMemory(ALL);
  const first = await memory.reserve('a', 192 * MIB);
  const gone = new AbortController();
  const waiting = memory.reserve('a', 192 * MIB, () => gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow(StoreBusy);
  first.release();
});

test('a share that is released while it waits leaves nothing behind', async () => {
  const memory = new WorkMemory(ALL);
  const large = await memory.reserve('a', 192 * MIB);
  const small = await memory.reserve('a', 1000);
  const extending = small.extendTo(192 * MIB);
  small.release();
  large.release();
  await extending;
  const next = await memory.reserve('a', 192 * MIB);
  next.release();
});
