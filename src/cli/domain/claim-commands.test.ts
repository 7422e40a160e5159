import { expect, test } from 'vitest';
import type { ClaimJson } from '../../contract/claim-shape.ts';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const claim: ClaimJson = {
  state: 'unverified',
  how: null,
  next_step: 'Set the TXT record',
  nameservers: ['ns1.example.net', 'ns4.example.net'],
  challenge: { name: '_zonewright-challenge.example.com', type: 'TXT', data: 'zonewright-claim=0a' },
  seen: [
    {
      role: 'parent',
      server: 'a.servers.net',
      address: '192.0.2.1',
      nameservers: ['ns1.old.net'],
      challenge: null,
      problem: null,
    },
    {
      role: 'nameserver',
      server: 'ns1.old.net',
      address: '192.0.2.2',
      nameservers: null,
      challenge: false,
      problem: null,
    },
    {
      role: 'nameserver',
      server: 'ns2.old.net',
      address: null,
      nameservers: null,
      challenge: null,
      problem: 'it has no public address',
    },
  ],
  date_checked: '2026-11-20T09:04:00+00:00',
  date_verified: null,
  date_expires: '2026-12-18T09:03:31+00:00',
};

const verified: ClaimJson = {
  ...claim,
  state: 'verified',
  how: 'challenge',
  next_step: 'Nothing has to be done',
  seen: [],
  date_checked: null,
  date_verified: '2026-11-20T09:05:00+00:00',
  date_expires: null,
};

test('verify shows the next step and each server, and fails while control was not shown', async () => {
  server.answers = [{ status: 200, body: { claim } }];
  expect(await run('domain verify example.com')).toEqual({
    exitCode: 10,
    stderr: 'zonewright: example.com is not served: control of it was not shown\n',
    stdout: [
      'state: unverified',
      'next step: Set the TXT record',
      'nameservers: ns1.example.net, ns4.example.net',
      'TXT record: _zonewright-challenge.example.com "zonewright-claim=0a"',
      'servers asked: 2026-11-20T09:04:00+00:00',
      'deleted unless verified by: 2026-12-18T09:03:31+00:00',
      '',
      'a.servers.net\t192.0.2.1\tns1.old.net\t-\t-',
      'ns1.old.net\t192.0.2.2\t-\tno\t-',
      'ns2.old.net\t-\t-\t-\tit has no public address',
      '',
    ].join('\n'),
  });
  expect(server.asked[0].request).toBe('POST /claim/check');
});

test('verify shows how control was shown', async () => {
  server.answers = [{ status: 200, body: { claim: verified } }];
  const { exitCode, stdout } = await run('domain verify example.com');
  expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'state: verified (challenge)']);
  server.answers = [{ status: 200, body: { claim: verified } }];
  expect(JSON.parse((await run('domain verify example.com --json')).stdout)).toEqual(verified);
});

test('verify --wait looks until the time is up', async () => {
  server.answers = [{ status: 200, body: { claim } }];
  const { exitCode, stderr } = await run('domain verify example.com --wait --timeout 0');
  expect([exitCode, stderr]).toEqual([
    8,
    'zonewright: example.com is not served: control of it was not shown\n',
  ]);
});

test('an administrator vouches for an account', async () => {
  server.answers = [{ status: 200, body: { claim: { ...verified, how: 'administrator' } } }];
  expect((await run('domain verify example.com --account 0199f6a0')).exitCode).toBe(0);
  expect(server.asked[0].request).toBe('POST /v2/accounts/0199f6a0/domains/example.com/verify');
});

test('create and list say that a domain is not served', async () => {
  const domain = { domain: 'example.com', date_created: 'c', dns_sec: 'disabled', withheld: ['unverified'] };
  server.answers = [
    { status: 201, body: { domain } },
    { status: 200, body: { claim } },
  ];
  const created = await run('domain create example.com');
  expect(created.stdout).toContain('served: no: unverified');
  expect(created.stderr).toBe(
    'example.com is not served yet. Set the TXT record. Then: zonewright domain verify example.com\n',
  );
  const meta = { total: 1, links: { next: '', prev: '' } };
  server.answers = [{ status: 200, body: { domains: [domain], meta } }];
  expect((await run('domain list --plain')).stdout).toBe('example.com\tc\tdisabled\tno: unverified\n');
});
