import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cloudflareExport } from './cloudflare.ts';
import { digitaloceanExport } from './digitalocean.ts';
import { jsonFileSource, type JsonExport } from './json-files.ts';
import { route53Export } from './route53.ts';

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

const set = { Name: 'www.example.com.', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }] };
const entry = { type: 'A', name: 'www.example.com', content: '192.0.2.1', data: '192.0.2.1', ttl: 60 };

test.each<[JsonExport, object, RegExp]>([
  [
    cloudflareExport,
    { result: [entry], result_info: { total_count: 101, total_pages: 2 } },
    /1 of 101 records/,
  ],
  [cloudflareExport, { result: [entry], result_info: { page: 1, total_pages: 2 } }, /one page of 2/],
  [
    digitaloceanExport,
    { domain_records: [entry], links: { pages: { next: 'https://…?page=2' } } },
    /1 records/,
  ],
  [digitaloceanExport, { domain_records: [entry], meta: { total: 41 } }, /1 of 41 records/],
  [route53Export, { ResourceRecordSets: [set], IsTruncated: true }, /IsTruncated/],
  [route53Export, { ResourceRecordSets: [set], NextToken: 'eyJT' }, /NextToken/],
  [route53Export, { ResourceRecordSets: [set], IsTruncated: false, NextRecordName: 'x.' }, /NextRecordName/],
])('%j: a part of a zone is refused: %j', async (format, json, problem) => {
  await expect(loadOnly(format, json)).rejects.toThrow(problem);
});

test.each<[JsonExport, object]>([
  [cloudflareExport, { result: [entry], result_info: { total_count: 1, total_pages: 1 } }],
  [digitaloceanExport, { domain_records: [entry], links: { pages: {} }, meta: { total: 1 } }],
  [digitaloceanExport, [entry]],
  [route53Export, { ResourceRecordSets: [set], IsTruncated: false, NextToken: null }],
])('%j: a whole zone is read: %j', async (format, json) => {
  expect((await loadOnly(format, json)).text).toContain('192.0.2.1');
});

async function loadOnly(format: JsonExport, json: object) {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.com.json');
  writeFileSync(file, JSON.stringify(json));
  const [zone] = await jsonFileSource(format, file, undefined).list(() => undefined);
  return zone.load();
}

test('a folder names what it skips', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'example.com.json'), '[]');
  writeFileSync(join(folder, 'example.net.txt'), '');
  mkdirSync(join(folder, 'more'));
  const said: string[] = [];
  await jsonFileSource(cloudflareExport, folder, undefined).list((sentence) => said.push(sentence));
  expect(said).toEqual([`skipped in ${folder}, because they are not JSON files: example.net.txt, more/`]);
});
