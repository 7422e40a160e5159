import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startForFile } from '../harness/service.ts';

/* Runs the example of docs/client.md, taken from the document, against the built service. */

const service = await startForFile();

test('the example of docs/client.md does what it says', async () => {
  const document = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(document) ?? [];
  expect(example).toContain("'http://127.0.0.1:8080'");
  // A sibling of docs/, so that its import finds the client.
  const folder = mkdtempSync(fileURLToPath(new URL('../../.client-example-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.ts');
  writeFileSync(file, example.replace('http://127.0.0.1:8080', `http://${service.httpAddress}`));

  const lines: unknown[][] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => void lines.push(words));
  vi.stubEnv('ZONEWRIGHT_KEY', service.key);
  onTestFinished(() => {
    log.mockRestore();
    vi.unstubAllEnvs();
  });
  await import(file);
  expect(lines).toEqual([
    ['', 'MX', 'mail.example.com'],
    [expect.any(Number), 4],
    [1, 'would be created'],
    [0, 'changes'],
  ]);
  expect(await service.dns.look('example.com', 'MX')).toEqual([expect.stringContaining('mx.example.com')]);
});

test('the built client imports nothing, so that browsers can load it without a bundler', () => {
  const built = fileURLToPath(new URL('../../dist/client/zonewright-client.js', import.meta.url));
  const text = readFileSync(built, 'utf8');
  expect(text).toMatch(/^export \{$/m);
  expect(text).not.toMatch(/^import\b|\bimport\(/m);
});
