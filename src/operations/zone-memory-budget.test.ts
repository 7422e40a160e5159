import { expect, test } from 'vitest';
import type { DomainRecord } from '../model/record.ts';
import { StoreBusy } from '../writes/store-errors.ts';
import { MAX_CHECKED_OCTETS, ZoneMemoryBudget, ZoneTooLong } from './zone-memory-budget.ts';

const LARGE = 200_000;
const MIB = 1024 * 1024;

function recordsOf(octets: number): readonly DomainRecord[] {
  return [{ data: '', rdata: new Uint8Array(octets) } as DomainRecord];
}

const settled = (): Promise<void> => new Promise(setImmediate);

test('forty checks of a large zone hold one zone in memory, and another account waits for none of them', async () => {
  const budget = new ZoneMemoryBudget(MAX_CHECKED_OCTETS);
  let held = 0;
  const asked = Array.from({ length: 40 }, async () => {
    const reservation = await budget.reserve('busy', LARGE);
    held++;
    return reservation;
  });
  await settled();
  expect(held).toBe(1);
  const other = await budget.reserve('other', LARGE);
  other.release();
  for (const each of asked) (await each).release();
  expect(held).toBe(40);
});

test('a zone of long records reserves more while it is read, up to the share of its account', async () => {
  const budget = new ZoneMemoryBudget(MAX_CHECKED_OCTETS);
  const [long, other] = [await budget.reserve('a', 10), await budget.reserve('b', 10)];
  expect(long.measure(recordsOf(180 * MIB))).toHaveLength(1);
  expect(() => long.measure(recordsOf(100 * MIB))).toThrow(ZoneTooLong);
  expect(other.measure(recordsOf(190 * MIB))).toHaveLength(1);
  const third = await budget.reserve('c', 10);
  expect(() => third.measure(recordsOf(190 * MIB))).toThrow(StoreBusy);
  for (const each of [long, other, third]) each.release();
  expect((await budget.reserve('c', LARGE)).measure(recordsOf(190 * MIB))).toHaveLength(1);
});

test('a client that has gone gives up its place', async () => {
  const budget = new ZoneMemoryBudget(MAX_CHECKED_OCTETS);
  const first = await budget.reserve('a', LARGE);
  const gone = new AbortController();
  const second = budget.reserve('a', LARGE, () => gone.signal);
  gone.abort();
  await expect(second).rejects.toThrow(StoreBusy);
  first.release();
});
