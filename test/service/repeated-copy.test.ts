import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, startForFile, startProgram } from '../harness/service.ts';

const service = await startForFile();
const folder = makeFolder();
const domain = 'repeated.example.com';
const soa = 'SOA ns1.old-provider.example. hostmaster.old-provider.example. 7 7200 900 1209600 300';

function writeZone(...lines: string[]): void {
  writeFileSync(join(folder, `${domain}.zone`), ['$TTL 300', `@ ${soa}`, ...lines, ''].join('\n'));
}

async function zonewright(...words: string[]) {
  const program = startProgram(words, {
    ZONEWRIGHT_URL: `http://${service.httpAddress}`,
    ZONEWRIGHT_RESOLVERS: 'none',
    ZONEWRIGHT_DATA: service.data,
  });
  return { code: await program.ended(), stdout: program.stdout(), stderr: program.stderr() };
}

const copy = (...words: string[]) => zonewright('copy', '--from', `file:${folder}`, ...words);
const served = (name: string, type: string) => service.dns.look(`${name}.${domain}`, type);

test('a repeated copy deletes what an earlier copy brought and the source no longer has', async () => {
  writeZone('www A 192.0.2.1', 'old A 192.0.2.2', 'same A 192.0.2.3', 'both A 192.0.2.4', 'turns CNAME same');
  expect((await copy('--yes')).code).toBe(0);
  await zonewright('record', 'create', domain, 'mine', 'TXT', 'caf\u00e9 "x" y', '--ttl', '60');
  await zonewright(
    'record',
    'create',
    domain,
    '@',
    'MX',
    'mail.example.net',
    '--priority',
    '10',
    '--ttl',
    '60',
  );

  writeZone('www A 192.0.2.99', 'same A 192.0.2.3', 'both A 192.0.2.4', 'turns A 192.0.2.5');
  const plan = await copy('--dry-run');
  expect(plan.code).toBe(0);
  expect(plan.stdout).toBe(`${domain}\tchange\t2\t0\t3\t2\t1\t0\n`);
  expect(plan.stderr).toContain(`${domain}: to be deleted: old 300 A 192.0.2.2\n`);
  expect(plan.stderr).toContain(`${domain}: to be deleted: www 300 A 192.0.2.1\n`);
  expect(plan.stderr).toContain('1 domain would change; 2 records made here kept\n');

  const copied = await copy('--yes', '--note', 'second run');
  expect([copied.code, copied.stderr]).toEqual([
    0,
    expect.stringContaining(
      '1 domain copied: 2 records created, 0 updated, 3 deleted, 2 unchanged; 2 records made here kept\n',
    ),
  ]);
  expect(await served('www', 'A')).toEqual(['192.0.2.99']);
  expect(await served('old', 'A')).toBe('NXDOMAIN');
  expect(await served('turns', 'A')).toEqual(['192.0.2.5']);
  expect(await served('mine', 'TXT')).not.toBe('NXDOMAIN');

  const again = await copy('--yes');
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringMatching(/nothing to change: the service already matches .*; 2 records made here kept\n$/),
  ]);
});

test('a record that was changed here stays, and one whose TTL was changed here does not', async () => {
  writeZone('www A 192.0.2.99', 'same A 192.0.2.3', 'both A 192.0.2.4', 'turns A 192.0.2.5');
  const list = await zonewright('record', 'list', domain, '--json');
  const records = JSON.parse(list.stdout) as { id: string; name: string }[];
  const idOf = (name: string) => records.find((record) => record.name === name)?.id ?? '';
  await zonewright('record', 'update', domain, idOf('same'), '--ttl', '30');
  await zonewright('record', 'update', domain, idOf('both'), '--data', '192.0.2.44');
  writeZone('www A 192.0.2.99', 'turns A 192.0.2.5');
  const { stderr } = await copy('--yes');
  expect(stderr).toContain(
    '0 records created, 0 updated, 1 deleted, 2 unchanged; 3 records made here kept\n',
  );
  expect(await served('same', 'A')).toBe('NXDOMAIN');
  expect(await served('both', 'A')).toEqual(['192.0.2.44']);
});

test('--keep-deleted keeps what is gone at the source and says so', async () => {
  writeZone('www A 192.0.2.99');
  const kept = await copy('--yes', '--keep-deleted');
  expect([kept.code, kept.stderr]).toEqual([
    0,
    expect.stringContaining(
      'nothing was changed (1 domain, 1 record as at the source); 3 records made here kept',
    ),
  ]);
  expect(kept.stderr).toContain('; 1 record kept that the source no longer has\n');
  expect(await served('turns', 'A')).toEqual(['192.0.2.5']);
});

test('records that a copy of another source brought are deleted only if it is named', async () => {
  const other = makeFolder();
  writeFileSync(join(other, `${domain}.zone`), `$TTL 300\nwww A 192.0.2.99\n`);
  const words = ['copy', '--from', `file:${other}`, '--yes'];
  expect((await zonewright(...words)).stderr).toContain('; 1 record of another source kept\n');
  const named = await zonewright(...words, '--earlier-source', `the file ${folder}`, '--records');
  expect(named.stdout).toContain('-\tturns\t300\tA\t-\t192.0.2.5\n');
  expect(await served('turns', 'A')).toBe('NXDOMAIN');
});

test('a change of the mailbox alone is a change', async () => {
  writeFileSync(
    join(folder, `${domain}.zone`),
    `@ 300 ${soa.replace('hostmaster', 'dns')}\nwww 300 A 192.0.2.99\n`,
  );
  expect((await copy('--dry-run')).stderr).toContain('1 domain would change');
});

test('records that only the provider can answer are counted and have their own exit code', async () => {
  const name = 'aliased.example.com.';
  const sets = [
    { Name: name, Type: 'A', AliasTarget: { DNSName: 'd1.cloudfront.net.' } },
    { Name: `w.${name}`, Type: 'A', TTL: 60, Weight: 1, ResourceRecords: [{ Value: '192.0.2.1' }] },
    { Name: `www.${name}`, Type: 'A', TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }] },
  ];
  const file = join(makeFolder(), 'aliased.example.com.json');
  writeFileSync(file, JSON.stringify({ ResourceRecordSets: sets }));
  const words = ['copy', '--from', `route53:${file}`, '--yes'];
  const first = await zonewright(...words);
  expect([first.code, first.stderr]).toEqual([
    11,
    expect.stringContaining(
      '1 domain copied: 1 record created, 0 updated, 0 deleted, 0 unchanged; 2 skipped records to replace',
    ),
  ]);
  const again = await zonewright(...words);
  expect([again.code, again.stderr]).toEqual([
    11,
    expect.stringContaining(
      'nothing was changed (1 domain, 1 record as at the source); 2 skipped records to replace',
    ),
  ]);
  expect(again.stderr).toContain('zonewright: 2 skipped records must be replaced by hand, see above\n');
});
