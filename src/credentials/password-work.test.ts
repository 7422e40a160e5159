import { expect, test } from 'vitest';
import { PasswordWork } from './password-work.ts';

test('passwords are hashed one after the other, and those beyond the queue are refused at once', async () => {
  const work = new PasswordWork();
  const results = await Promise.all(Array.from({ length: 20 }, () => work.verify('x', undefined)));
  expect(results.map(({ ok }) => ok)).toEqual([
    ...Array.from({ length: 17 }, () => true),
    ...Array.from({ length: 3 }, () => false),
  ]);
  expect(await work.verify('x', undefined)).toEqual({ ok: true, value: false });
});
