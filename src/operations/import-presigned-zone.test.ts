import { expect, test } from 'vitest';
import { fileText, signFile } from '../dnssec/sign-file.test-support.ts';
import { importPresignedZone } from './import-presigned-zone.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { MIN_VALID_SECONDS } from './verify-presigned-zone.ts';

const { context, caller } = await openOperationScene();
const nowSeconds = Math.floor(context.clock.nowMs() / 1000);

test('a signed file is imported while its signatures are valid for another day', async () => {
  const content = signFile('pre.example', fileText(2_026_112_401), { nowSeconds, days: 10 });
  const importAt = (seconds: number) => {
    const clock = { ...context.clock, nowMs: () => (nowSeconds + seconds) * 1000 };
    return importPresignedZone({ ...context, clock }, caller, 'pre.example', { content, isCreating: true });
  };
  const refused = { refusal: { code: 'invalid_request' } };
  const validSeconds = 10 * 86_400;
  // Signatures begin a day before.
  expect(await importAt(-86_401)).toMatchObject(refused);
  expect(await importAt(validSeconds - MIN_VALID_SECONDS + 1)).toMatchObject(refused);
  const done = await importAt(validSeconds - MIN_VALID_SECONDS);
  expect(done).toMatchObject({ ok: true, serial: 2_026_112_401, value: { skipped: [], adjusted: [] } });
});

test('a file with too many problems reports the first hundred', async () => {
  const many = Array.from({ length: 300 }, (_, i) => `n${i} 60 A 192.0.2.1\n`).join('');
  const text = signFile('bad.example', fileText(2_026_112_401, many), { nowSeconds });
  const content = text.replaceAll('192.0.2.1\n', '192.0.2.7\n');
  const result = await importPresignedZone(context, caller, 'bad.example', { content, isCreating: true });
  expect(result.ok ? [] : result.refusal.problems).toHaveLength(100);
});
