import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dsText, startParent, withDs, withoutDs } from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import { makeFolder, startForFile, startProgram, type Service } from '../harness/service.ts';

const there = await startForFile();
const here = await startForFile();

async function zonewright(service: Service, words: string[], environment: Record<string, string> = {}) {
  const program = startProgram(words, {
    ZONEWRIGHT_URL: `http://${service.httpAddress}`,
    ZONEWRIGHT_RESOLVERS: 'none',
    ZONEWRIGHT_DATA: service.data,
    ...environment,
  });
  return { code: await program.ended(), stdout: program.stdout(), stderr: program.stderr() };
}

const soa = 'SOA ns1.old-provider.example. hostmaster.old-provider.example. 7 7200 900 1209600 300';
const dkim = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ'.repeat(10);

/** A typical folder: zones in files of two kinds, and one broken file. */
function makeZones(): string {
  const folder = makeFolder();
  const files: Record<string, string> = {
    'copied.example.com.zone': `$TTL 1h
@ ${soa}
@ NS ns1.old-provider.example.
@ MX 10 mail
@ A 192.0.2.1
mail A 192.0.2.25
* CNAME @
*.deep TXT "for all"
long TXT "${dkim.slice(0, 255)}" "${dkim.slice(255)}"
sub NS ns.sub
ns.sub A 192.0.2.53
_sip._tcp SRV 0 5 5060 sip.example.net.
`,
    'db.copied.example.org': `copied.example.org. 300 IN ${soa}\nwww 300 A 192.0.2.2\n`,
    'broken.example.com.zone': `@ 300 ${soa}\nwww 300 A 192.0.2.300\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const zones = makeZones();
const fromFolder = ['copy', '--from', `file:${zones}`];

test('without a terminal, copy needs --yes or --dry-run and sends nothing', async () => {
  const { code, stderr } = await zonewright(there, fromFolder);
  expect([code, stderr]).toEqual([2, 'zonewright: not a terminal, cannot ask: use --yes or --dry-run\n']);
});

test('a source without domains is an error, not a complete copy', async () => {
  const { code, stderr } = await zonewright(there, ['copy', '--from', `file:${makeFolder()}`, '--yes']);
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/^zonewright: the file .* has no domains to copy\n$/),
  ]);
});

test('a dry run shows the plan and changes nothing', async () => {
  const { code, stdout, stderr } = await zonewright(there, [...fromFolder, '--dry-run']);
  expect(code).toBe(3);
  expect(stdout.split('\n')).toEqual([
    'broken.example.com\tfailed\t0\t0\t0\t0\t0\t1',
    'copied.example.com\tnew\t9\t0\t0\t0\t2\t0',
    'copied.example.org\tnew\t1\t0\t0\t0\t1\t0',
    '',
  ]);
  expect(stderr).toContain('broken.example.com: problem: line 2, column 11: ');
  expect(stderr).toContain('dry run, nothing was changed: 2 domains would change\n');
  expect(stderr).toContain('1 of 3 domains failed');
  expect((await zonewright(there, ['domain', 'list'])).stdout).toBe('');
});

test('the plan for a new domain shows conflicts and warnings', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'clash.example.com.zone'), 'a 300 CNAME b\na 300 A 192.0.2.1\n');
  writeFileSync(join(folder, 'mail.example.com.zone'), '@ 300 MX 10 mail\n');
  const { code, stdout, stderr } = await zonewright(there, ['copy', '--from', `file:${folder}`, '--dry-run']);
  expect([code, stdout.split('\n')[0]]).toEqual([3, 'clash.example.com\tfailed\t0\t0\t0\t0\t0\t1']);
  expect(stderr).toMatch(/^clash\.example\.com: problem: line 2, column 1: .*CNAME/m);
  expect(stderr).toContain('mail.example.com: error: @ MX: The MX record names mail.mail.example.com.');
});

test('a folder is copied except for broken files; a second run changes nothing', async () => {
  const first = await zonewright(there, [...fromFolder, '--yes']);
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('2 domains copied: 10 records created, 0 updated, 0 deleted, 0 unchanged\n');
  expect(first.stderr).toContain('NS records of the zone itself name the old provider');
  expect(await there.dns.look('any.copied.example.com', 'A')).toEqual(expect.arrayContaining(['192.0.2.1']));
  expect(await there.dns.look('broken.example.com', 'A')).toBe('REFUSED');
  const again = await zonewright(there, [
    ...fromFolder,
    '--yes',
    '--domains',
    'copied.example.com,copied.example.org',
  ]);
  expect(again.code).toBe(0);
  expect(again.stderr).toMatch(
    /nothing to change: the service already matches the source \(2 domains, 10 records\)\n$/,
  );
});

test('another service is copied and verified; a second run changes nothing', async () => {
  const from = ['copy', '--from', `service:http://${there.httpAddress}`, '--yes', '--json'];
  const environment = { ZONEWRIGHT_FROM_KEY: there.key };
  const first = await zonewright(here, from, environment);
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    applied: true,
    domains: [
      { domain: 'copied.example.com', status: 'copied', new: true, created: 9, problems: [] },
      { domain: 'copied.example.org', status: 'copied', new: true, created: 1, problems: [] },
    ],
  });
  const again = JSON.parse((await zonewright(here, from, environment)).stdout) as object;
  expect(again).toMatchObject({ applied: false, totals: { domains: 2, failed: 0, changed: 0, created: 0 } });

  const proof = await zonewright(here, verify('--ttl'));
  expect([proof.code, proof.stdout]).toEqual([0, '']);
  expect(proof.stderr).toMatch(/copied\.example\.com: no differences, \d+ names compared\n/);
});

function verify(...options: string[]): string[] {
  return [
    'verify',
    'copied.example.com',
    '--against',
    there.dnsAddress,
    '--server',
    here.dnsAddress,
    ...options,
  ];
}

test('verify shows differences, wildcards included; copy --replace removes them', async () => {
  await zonewright(here, [
    'record',
    'create',
    'copied.example.com',
    'only-here',
    'A',
    '192.0.2.9',
    '--ttl',
    '60',
  ]);
  await zonewright(there, [
    'record',
    'create',
    'copied.example.com',
    '*.deep',
    'TXT',
    'more',
    '--ttl',
    '3600',
  ]);
  const { code, stdout } = await zonewright(here, verify());
  expect(code).toBe(9);
  expect(
    stdout
      .replaceAll(/zw-\w+/g, '?')
      .trim()
      .split('\n')
      .sort(),
  ).toEqual([
    '*.deep.copied.example.com.\tTXT\t-\t"more"',
    '?.deep.copied.example.com.\tTXT\t-\t"more"',
    'only-here.copied.example.com.\tA\t192.0.2.9\t-',
    'only-here.copied.example.com.\tCNAME\t-\tcopied.example.com.',
  ]);
  const from = ['copy', '--from', `service:http://${there.httpAddress}`, '--domains', 'copied.example.com'];
  const environment = { ZONEWRIGHT_FROM_KEY: there.key };
  const replaced = await zonewright(here, [...from, '--replace', '--yes'], environment);
  expect([replaced.code, replaced.stderr]).toEqual([
    0,
    expect.stringContaining('1 domain copied: 1 record created, 0 updated, 1 deleted'),
  ]);
  expect((await zonewright(here, verify())).code).toBe(0);
});

test('octets and character-strings that JSON cannot represent are copied unchanged from another service', async () => {
  const domain = 'octets.example.com';
  const path = `/v2/domains/${domain}/zonefile`;
  await there.http.put(`${path}?create=true`, 'x 60 TXT "caf\\233" "\\000"\n');
  const from = ['copy', '--from', `service:http://${there.httpAddress}`, '--domains', domain, '--yes'];
  const copied = await zonewright(here, from, { ZONEWRIGHT_FROM_KEY: there.key });
  expect([copied.code, copied.stderr]).toEqual([0, expect.stringContaining('1 record created')]);
  const { text } = await here.http.get(path);
  expect(text).toMatch(/^x +60 +IN TXT +"caf\\233" "\\000"$/m);
});

test('an unreachable server and one that does not serve the domain have their own exit codes', async () => {
  const away = ['verify', 'copied.example.com', '--server', here.dnsAddress, '--against', '127.0.0.1:1'];
  const other = await zonewright(here, away);
  expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('did not answer')]);
  await zonewright(here, ['domain', 'create', 'only-here.example.com']);
  const unserved = [
    'verify',
    'only-here.example.com',
    '--server',
    here.dnsAddress,
    '--against',
    there.dnsAddress,
  ];
  const refused = await zonewright(here, unserved);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('answered REFUSED')]);
});

test('verify fails, and copy warns, while the parent zone has a DS record for a domain that is not signed here', async () => {
  let answer = withDs('copied.example.com', 86_400);
  const { resolver, privateServers } = await startParent({
    zone: 'example.com',
    servers: { 'ns.example.com': () => answer },
    also: { 'copied.example.com DS': withDs('copied.example.com', 86_400) },
  });
  const environment = {
    ZONEWRIGHT_RESOLVERS: formatServerAddress(resolver),
    ZONEWRIGHT_PRIVATE_PARENTS: privateServers.map(formatServerAddress).join(),
  };
  const before = await zonewright(here, verify('--json'), environment);
  expect([before.code, before.stderr]).toEqual([
    10,
    'zonewright: copied.example.com is not signed here, but resolvers may still expect signatures: do not change the delegation yet\n',
  ]);
  const found = { state: 'present', zone: 'example.com', ds: [dsText], ttl: 86_400 };
  expect(JSON.parse(before.stdout)).toMatchObject({ domains: [{ differences: [], parent: found }] });
  const copied = await zonewright(
    here,
    [...fromFolder, '--domains', 'copied.example.com', '--dry-run', '--json'],
    environment,
  );
  expect(copied.code).toBe(0);
  const note = expect.stringMatching(
    /^the domain is not signed here, but the parent zone example\.com has the DS record /,
  ) as string;
  expect(JSON.parse(copied.stdout)).toMatchObject({ domains: [{ notes: [note], parent: found }] });

  // Removed, but not forgotten by the resolver; then a network in which only the resolver can be asked.
  answer = withoutDs('example.com');
  const removed = await zonewright(here, verify(), environment);
  expect([removed.code, removed.stderr]).toEqual([
    10,
    expect.stringMatching(/has no DS record any more.* 24 h/),
  ]);
  const unseen = await zonewright(here, verify(), { ...environment, ZONEWRIGHT_PRIVATE_PARENTS: '' });
  expect([unseen.code, unseen.stderr]).toEqual([10, expect.stringMatching(/a resolver has the DS record/)]);
});
