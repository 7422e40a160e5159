import { expect, test } from 'vitest';
import { createIdSource } from './new-id.ts';

test('ids are UUIDv7 with the current time', () => {
  const id = createIdSource({ nowMs: () => 0x0123456789ab })();
  expect(id).toMatch(/^01234567-89ab-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids increase strictly during bursts, with a stopped clock and after the clock is set back', () => {
  let nowMs = 1_800_000_000_000;
  const newId = createIdSource({ nowMs: () => nowMs });
  let last = '';
  for (let step = 0; step < 30_000; step++) {
    if (step === 9_000) nowMs -= 60_000;
    if (step === 20_000) nowMs += 120_000;
    const id = newId();
    expect(id > last).toBe(true);
    last = id;
  }
});
