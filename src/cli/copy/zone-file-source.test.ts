import { mkdirSync, mkdtempSync, rmSync, truncateSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findZoneName, zoneFileSource } from './zone-file-source.ts';

const soa = 'SOA ns.example.net. h.example.net. 1 2 3 4 5';

test.each([
  ['the SOA record’s owner', `example.com. IN ${soa}`, undefined, 'example.com'],
  ['its owner relative to $ORIGIN', `$ORIGIN com.\nExample 3600 IN ${soa}`, undefined, 'example.com'],
  ['its owner relative to what was assumed', `@ IN ${soa}`, 'example.org', 'example.org'],
  ['the SOA record’s owner before what was assumed', `example.com. IN ${soa}`, 'example.org', 'example.com'],
  ['the first $ORIGIN', '$ORIGIN example.net.\nwww 60 A 192.0.2.1', 'example.org', 'example.net'],
  ['what was assumed', 'www 60 A 192.0.2.1', 'example.org', 'example.org'],
  ['unknown', 'www 60 A 192.0.2.1', undefined, undefined],
])('the zone of a file is %s', (_, text, assumed, name) => {
  expect(findZoneName(text, assumed)).toBe(name);
});

test('a folder has one zone per zone file, and a file without a name fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'example.com.zone': `@ IN ${soa}`,
    'db.example.net': 'www 60 A 192.0.2.1',
    zone3: `example.org. IN ${soa}`,
    nameless: 'www 60 A 192.0.2.1',
    'example.com.jnl': 'journal',
    '.hidden.example': 'x',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'sub.example'));
  const zones = await zoneFileSource(folder, undefined).list(() => undefined);
  expect(zones.map(({ domain }) => domain)).toEqual([
    'example.net',
    'example.com',
    'nameless',
    'example.org',
  ]);
  expect((await zones[1].load()).text).toBe(files['example.com.zone']);
  await expect(zones[2].load()).rejects.toThrow(/^the zone of .*nameless is unknown/);
  const chosen = await zoneFileSource(folder, ['example.org', 'example.info']).list(() => undefined);
  expect(chosen.map(({ domain }) => domain)).toEqual(['example.org', 'example.info']);
  await expect(chosen[1].load()).rejects.toThrow(/does not have example\.info$/);
});

test('links in a folder are followed, an unreadable file fails alone, and skipped entries are reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [zones, elsewhere] = [join(folder, 'zones'), join(folder, 'elsewhere')];
  mkdirSync(join(zones, 'more'), { recursive: true });
  writeFileSync(elsewhere, `example.com. IN ${soa}`);
  symlinkSync(elsewhere, join(zones, 'example.com'));
  symlinkSync('nowhere', join(zones, 'example.net'));
  // `.md` is also the domain of Moldova.
  writeFileSync(join(zones, 'example.md'), `@ IN ${soa}`);
  writeFileSync(join(zones, 'README.md'), 'About these zones');
  writeFileSync(join(zones, 'readme.example.zone'), `@ IN ${soa}`);
  const said: string[] = [];
  const found = await zoneFileSource(zones, undefined).list((sentence) => said.push(sentence));
  expect(found.map(({ domain }) => domain)).toEqual([
    'example.com',
    'example.md',
    'example.net',
    'readme.example',
  ]);
  await expect(found[2].load()).rejects.toThrow(/example\.net cannot be read \(ENOENT\)$/);
  expect(said).toEqual([
    `skipped in ${zones}, because they are folders or do not look like zone files: README.md, more/`,
  ]);
});

test('included files are inserted from inside the folder, and are no zones themselves', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'example.com.zone'), '$TTL 60\n$INCLUDE hosts.inc\n');
  writeFileSync(join(folder, 'hosts.inc'), 'www A 192.0.2.1\n');
  writeFileSync(join(folder, 'example.net.zone'), '$INCLUDE ../../etc/passwd\n');
  const said: string[] = [];
  const zones = await zoneFileSource(folder, undefined).list((sentence) => said.push(sentence));
  expect(zones.map(({ domain }) => domain)).toEqual(['example.com', 'example.net']);
  expect((await zones[0].load()).text).toContain('\nwww A 192.0.2.1\n');
  await expect(zones[1].load()).rejects.toThrow(/leads out of the folder/);
  expect(said).toEqual([expect.stringMatching(/: hosts\.inc$/)]);
});

test('a zone can be named with U-labels', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a'), `$ORIGIN münchen.example.\n@ ${soa}\n`);
  writeFileSync(join(folder, 'b'), '$ORIGIN Zürich.example.\nwww 60 A 192.0.2.1\n');
  writeFileSync(join(folder, 'bücher.example.zone'), 'ö 60 A 192.0.2.1\n');
  const zones = await zoneFileSource(folder, undefined).list(() => undefined);
  expect(zones.map(({ domain }) => domain)).toEqual([
    'xn--mnchen-3ya.example',
    'xn--zrich-kva.example',
    'xn--bcher-kva.example',
  ]);
  const [wanted] = await zoneFileSource(join(folder, 'b'), ['xn--zrich-kva.example']).list(() => undefined);
  expect((await wanted.load()).text).toContain('www 60 A');
});

test("Cloudflare's own export is recognised in a file that is named after the domain", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const head = ';;\n;; Domain:     example.com.\n;; Exported:   2026-11-20 14:25:02\n;;\n';
  writeFileSync(
    join(folder, 'example.com.txt'),
    `${head}example.com\t3600\tIN\t${soa}\nexample.com.\t1\tIN\tCNAME\tx.example.net.\n`,
  );
  const [zone] = await zoneFileSource(folder, undefined).list(() => undefined);
  expect(zone.domain).toBe('example.com');
  const { text, skipped } = await zone.load();
  expect(text).toContain('\nexample.com.\t3600\tIN\tSOA');
  expect(skipped).toHaveLength(1);
});

test('a file in Latin-1 fails alone, and its octets are not replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'example.com.zone'), Buffer.from('@ 60 TXT "b\xfccher"', 'latin1'));
  writeFileSync(join(folder, 'example.net.zone'), '@ 60 TXT "bücher"');
  const zones = await zoneFileSource(folder, undefined).list(() => undefined);
  expect(zones.map(({ domain }) => domain)).toEqual(['example.com', 'example.net']);
  await expect(zones[0].load()).rejects.toThrow(/example\.com\.zone is not valid UTF-8/);
  expect((await zones[1].load()).text).toBe('@ 60 TXT "bücher"');
});

test("a file over the service's limit fails alone, and is not read completely", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'example.com.zone'), '@ 60 A 192.0.2.1');
  writeFileSync(join(folder, 'example.net.zone'), '');
  truncateSync(join(folder, 'example.net.zone'), 64 * 2 ** 20 + 1);
  const zones = await zoneFileSource(folder, undefined).list(() => undefined);
  expect(zones.map(({ domain }) => domain)).toEqual(['example.com', 'example.net']);
  await expect(zones[1].load()).rejects.toThrow(
    /example\.net\.zone is larger than the limit of 67108864 bytes/,
  );
});
