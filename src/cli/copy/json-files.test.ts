import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { digitaloceanExport } from './digitalocean.ts';
import { jsonFileSource } from './json-files.ts';

test('a broken export fails without affecting others in the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 60 };
  writeFileSync(join(folder, 'example.com.json'), JSON.stringify({ domain_records: [record] }));
  writeFileSync(join(folder, 'example.net.json'), '{"domain_records":[');
  writeFileSync(join(folder, 'example.org.json'), '{}');
  const zones = await jsonFileSource(digitaloceanExport, folder, undefined).list(() => undefined);
  expect(zones.map(({ domain }) => domain)).toEqual(['example.com', 'example.net', 'example.org']);
  expect((await zones[0].load()).text).toContain('192.0.2.1');
  // The file is read again when the zone is loaded.
  writeFileSync(
    join(folder, 'example.com.json'),
    JSON.stringify({ domain_records: [{ ...record, data: '192.0.2.2' }] }),
  );
  expect((await zones[0].load()).text).toContain('192.0.2.2');
  await expect(zones[1].load()).rejects.toThrow(/example\.net\.json cannot be read \(not valid JSON\)$/);
  await expect(zones[2].load()).rejects.toThrow(/example\.org\.json is not an export of DigitalOcean/);
});
