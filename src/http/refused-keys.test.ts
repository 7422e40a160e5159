import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { RefusedKeys } from './refused-keys.ts';

function observe(intervalMs: number) {
  const lines: object[] = [];
  const warn = (fields: object): void => void lines.push(fields);
  return { lines, refused: new RefusedKeys({ ...silentLog, warn }, intervalMs) };
}

test('logs the first request of each address at once, and counts the others', async () => {
  const { lines, refused } = observe(20);
  for (const address of ['192.0.2.1', '192.0.2.1', undefined, '192.0.2.1']) refused.note(address);
  expect(lines).toEqual([{ address: '192.0.2.1' }, { address: 'unix' }]);
  await expect.poll(() => lines.slice(2)).toEqual([{ address: '192.0.2.1', count: 2 }]);
  refused.note('192.0.2.1');
  expect(lines.slice(3)).toEqual([{ address: '192.0.2.1' }]);
});

test('requests from very many addresses get few lines', async () => {
  const { lines, refused } = observe(20);
  for (let i = 0; i < 1_000; i++) refused.note(`2001:db8::${i.toString(16)}`);
  expect(lines).toHaveLength(100);
  await expect.poll(() => lines.slice(100)).toEqual([{ count: 900 }]);
});
