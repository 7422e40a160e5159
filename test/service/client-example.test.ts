import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
    [1, 'would be created'],
    [0, 'changes'],
  ]);
  expect(await service.dns.look('example.com', 'MX')).toEqual([expect.stringContaining('mx.example.com')]);
});

const IMPORTS = /\b(?:from|import) ["']([^"']+)["'];$/gm;

test('the built client imports only files beside it, so that browsers can load it without a bundler', () => {
  const root = fileURLToPath(new URL('../../dist', import.meta.url));
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      expect(from, file).toMatch(/^\.\.?\//);
      load(resolve(dirname(file), from));
    }
  };
  load(join(root, 'client/zonewright-client.js'));
  expect(loaded.size).toBeGreaterThan(10);
  const folders = new Set([...loaded].map((file) => dirname(file).slice(root.length + 1)));
  expect([...folders].sort()).toEqual(['client', 'contract']);
});
