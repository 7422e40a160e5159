import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openKeySecrets } from './key-secrets.ts';
import { createZoneKey } from './private-key.ts';

const [even, odd] = [0, 1].map((rest) =>
  Array.from({ length: 0x8000 }, (_, at) => ({ tag: 2 * at + rest, algorithm: 15 as const })),
);

test.each([
  ['even', even, 1],
  ['odd', odd, 0],
])('a new key has a tag that no other key has: not one of all %s tags', (_, others, rest) => {
  const secrets = openKeySecrets(['a'.repeat(43)]);
  for (let count = 0; count < 8; count++) {
    const wanted = { id: String(count), algorithm: 15, createdAtSeconds: 0 } as const;
    expect(createZoneKey(wanted, secrets, others).tag % 2).toBe(rest);
  }
});

test('garbage collection while keys are made stops nothing', () => {
  const script = fileURLToPath(new URL('./many-keys.test-support.ts', import.meta.url));
  // With so small a young generation, one of the first five thousand keys met it when Node deadlocked.
  const flags = ['--min-semi-space-size=1', '--max-semi-space-size=1', '--import', 'tsx'];
  const run = spawnSync(process.execPath, [...flags, script, '15000'], { timeout: 60_000, encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, signal: null, stderr: '' });
});
