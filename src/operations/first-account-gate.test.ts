import { expect, test } from 'vitest';
import { FirstAccountGate } from './first-account-gate.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

test('waits until the gate is opened, and not at all from then on', async () => {
  const gate = new FirstAccountGate();
  const waited = gate.wait();
  gate.open();
  expect(await waited).toBe(true);
  expect(await gate.wait()).toBe(false);
});

test('a gate that stays closed is answered like a store that is away', async () => {
  await expect(new FirstAccountGate().wait(1)).rejects.toThrow(StoreUnavailable);
});
