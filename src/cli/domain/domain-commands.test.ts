import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

test('show --revision prints the value for --if-match', async () => {
  const shown = { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } };
  server.answers = [shown, { status: 204 }, shown];
  const { stdout } = await run('domain show example.com --revision');
  expect(stdout).toBe('"5-7"\n');
  expect((await run(`domain delete example.com --if-match ${stdout.trim()}`)).exitCode).toBe(0);
  expect(server.asked[1].headers['if-match']).toBe('"5-7"');
  const json = await run('domain show example.com --revision --json');
  expect(JSON.parse(json.stdout)).toEqual({ revision: '"5-7"' });
});

test('--if-none-match creates a domain only if it does not exist', async () => {
  const there = { status: 412, body: { error: 'it is there', status: 412, code: 'precondition_failed' } };
  server.answers = [there];
  const { exitCode, stderr } = await run('domain create example.com --if-none-match *');
  expect([exitCode, stderr]).toEqual([3, 'zonewright: it is there\n']);
  expect(server.asked[0].headers['if-none-match']).toBe('*');
});

test('deleted domains are listed and restored', async () => {
  const domain = { domain: 'example.com', date_created: 'c', dns_sec: 'disabled' };
  const deleted = [
    { id: '17', ...domain, date_deleted: 'd' },
    { id: '18', ...domain, domain: 'xn--mnchen-3ya.org', date_deleted: 'e' },
  ];
  server.answers = [
    { status: 200, body: { deleted_domains: deleted, meta: { links: { next: '' } } } },
    { status: 200, body: { deleted_domains: deleted, meta: { links: { next: '' } } } },
    { status: 200, body: { domain } },
    { status: 200, body: { domain } },
  ];
  expect((await run('domain list --deleted --search EXA')).stdout).toBe('17\texample.com\tc\td\n');
  expect((await run('domain list --deleted --search MÜNCHEN.')).stdout).toBe(
    '18\txn--mnchen-3ya.org\tc\te\n',
  );
  expect((await run('domain restore example.com --plain')).stdout).toBe('example.com\tc\tdisabled\tyes\n');
  expect((await run('domain restore example.com --id 17 --note oops')).exitCode).toBe(0);
  expect(server.asked.slice(2)).toMatchObject([
    { request: 'POST /restore', body: '{}' },
    { request: 'POST /restore', body: '{"id":"17"}' },
  ]);
});

test.each([
  ['y', 1, ''],
  ['n', 0, 'nothing was changed\n'],
])('delete asks on a terminal, and the answer %s sends %i requests', async (answer, requests, last) => {
  server.answers = [{ status: 204 }];
  const { exitCode, stderr } = await run('domain delete example.com', { answer, isInteractive: true });
  expect([exitCode, stderr]).toEqual([
    0,
    `Delete example.com with all its records? [y/N] ${answer}\n${last}`,
  ]);
  expect(server.asked).toHaveLength(requests);
});

test('delete does not ask with --yes or without a terminal', async () => {
  server.answers = [{ status: 204 }, { status: 204 }];
  expect(await run('domain delete example.com --yes', { answer: 'n' })).toMatchObject({ stderr: '' });
  expect(await run('domain delete example.com')).toMatchObject({ stderr: '' });
  expect(server.asked).toHaveLength(2);
});

const signed = ['example.com IN DNSKEY 257 3 13 AAAA', 'example.com IN DS 27933 13 2 0A1B'];
const NEXT_STEP =
  'example.com is signed. Next step: when all nameservers serve it (zonewright domain wait example.com) and the longest TTL ' +
  'of the zone has passed, give the registrar the DS record 27933 13 2 0A1B; zonewright domain dnssec status example.com says when it has arrived\n';

test('create --dnssec signs the domain and says the next step', async () => {
  const domain = { domain: 'example.com', date_created: 'c', dns_sec: 'enabled' };
  server.answers = [
    { status: 201, body: { domain } },
    { status: 200, body: { dns_sec: signed } },
  ];
  expect(await run('domain create example.com --dnssec')).toMatchObject({ exitCode: 0, stderr: NEXT_STEP });
  expect(server.asked[0].body).toBe('{"domain":"example.com","dns_sec":"enabled"}');
});

test('dnssec on shows the keys and says the next step', async () => {
  server.answers = [{ status: 204 }, { status: 200, body: { dns_sec: signed } }];
  const { stdout, stderr } = await run('domain dnssec on example.com');
  expect([stdout, stderr]).toEqual([`${signed.join('\n')}\n`, NEXT_STEP]);
});

test('dnssec off says what happens next, and ends signing at once with --force', async () => {
  const withdrawn = { status: 200, body: { dns_sec: signed.slice(0, 1) } };
  server.answers = [{ status: 204 }, withdrawn, { status: 204 }];
  expect(await run('domain dnssec off example.com')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr:
      'example.com stays signed until its DS record is gone from the parent zone and its TTL has passed. Next step: have the DS ' +
      'record removed at the registrar; zonewright domain dnssec status example.com says which servers still have it\n',
  });
  expect(await run('domain dnssec off example.com --force')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  expect(server.asked.map(({ request }) => request)).toEqual(['PATCH ', 'GET /dnssec', 'PATCH ?force=true']);
});

test('dnssec off says nothing about a domain that was not signed', async () => {
  server.answers = [{ status: 204 }, { status: 200, body: { dns_sec: [] } }];
  expect((await run('domain dnssec off example.com')).stderr).toBe('');
});
