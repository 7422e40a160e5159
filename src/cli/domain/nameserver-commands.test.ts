import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const row = (domain: string, before: string, after: string) => ({
  domain,
  changed: before !== after,
  before: before.split(' '),
  after: after.split(' '),
  nsprimary: null,
  code: null,
  reason: before === after ? 'It names none of the former nameservers' : null,
});
const page = (domains: readonly object[], next = '', dryRun = false) => ({
  status: 200,
  body: { ...(dryRun && { dry_run: true }), domains, meta: { total: 2, links: { next, prev: '' } } },
});
const placed = row('a.example', 'ns1.zonewright.invalid', 'ns1.example.net');
const other = row('b.example', 'ns.other.example', 'ns.other.example');
const set = 'domain nameservers set ns1.example.net';
const bodies = () => server.asked.map(({ body }) => JSON.parse(body) as unknown);

test('domain nameservers list shows each process, and how many changes it is behind', async () => {
  const process = { id: 'p1', name: 'ns1', date_seen: '2026-11-20T14:00:09+00:00', live: true, behind: 0 };
  const silent = { ...process, id: 'p2', name: 'ns2', live: false, behind: 12 };
  const nameservers = {
    names: ['ns1.example.net', 'ns2.example.net'],
    per_account: null,
    processes: [process, silent],
  };
  server.answers = [{ status: 200, body: { nameservers } }];
  expect(await run('domain nameservers list')).toMatchObject({
    exitCode: 0,
    stdout: 'ns1\tlive\t0\t2026-11-20T14:00:09+00:00\tp1\nns2\tsilent\t12\t2026-11-20T14:00:09+00:00\tp2\n',
    stderr: 'the service is reached at ns1.example.net, ns2.example.net\n',
  });
  expect(server.asked.at(-1)?.request).toBe('GET /v2/nameservers');
});

test('the nameservers of all domains are planned page by page, and those of the shown ones changed', async () => {
  server.answers = [page([placed], 'next', true), page([other], '', true), page([placed])];
  const { exitCode, stderr } = await run(
    `${set} --all --replacing ns1.old.example ns2.old.example --yes --note moved`,
  );
  expect([exitCode, stderr.split('\n').at(-2)]).toEqual([0, 'changed the nameservers of 1 domain']);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'PUT /v2/nameservers?dry_run=true',
    'PUT /v2/nameservers?cursor=next&dry_run=true',
    'PUT /v2/nameservers',
  ]);
  const sent = { from: ['ns1.old.example', 'ns2.old.example'], to: ['ns1.example.net'] };
  expect(bodies()).toEqual([sent, sent, { ...sent, domains: ['a.example'] }]);
  expect(server.asked.at(-1)?.headers['x-change-note']).toBe('moved');
});

test('without --replacing all NS records are replaced, and without names by those of the service', async () => {
  server.answers = [
    page([{ ...placed, nsprimary: { before: 'p.example', after: 'ns1.example.net' } }], '', true),
  ];
  const { exitCode, stdout } = await run('domain nameservers set --domain a.example --dry-run --plain');
  expect([exitCode, stdout]).toEqual([
    0,
    'a.example\tns1.zonewright.invalid SOA p.example\tns1.example.net SOA ns1.example.net\n',
  ]);
  expect(bodies()).toEqual([{ from: ['*'], domains: ['a.example'] }]);
});

test('domains that have the nameservers already are left alone', async () => {
  server.answers = [page([other], '', true)];
  expect(await run(`${set} --domain b.example --yes`)).toMatchObject({
    exitCode: 0,
    stderr: 'nothing to change\n',
  });
});

test('a domain that cannot be changed is named, and the exit code says so', async () => {
  const left = { ...other, code: 'precondition_failed', reason: 'Domain "b.example" has been changed' };
  server.answers = [page([placed, { ...left, changed: true, code: null }], '', true), page([placed, left])];
  const { exitCode, stderr } = await run(`${set} --all --yes`);
  expect([exitCode, ...stderr.split('\n').slice(-3)]).toEqual([
    3,
    'zonewright: b.example: Domain "b.example" has been changed',
    'zonewright: 1 domain could not be changed; 1 changed',
    '',
  ]);
});

test('a failure between two pages names the last domain that was done', async () => {
  const next = { ...other, changed: true };
  const refusal = { status: 403, body: { error: 'this API key may only read', code: 'forbidden' } };
  server.answers = [page([placed, next], '', true), page([placed], 'next'), refusal];
  const { exitCode, stderr } = await run(`${set} --all --yes`);
  expect(exitCode).not.toBe(0);
  expect(stderr.split('\n').slice(-3)).toEqual([
    'stopped after a.example, 1 domain is changed: repeat the command for the others',
    expect.stringContaining('this API key may only read'),
    '',
  ]);
});

test('the domains must be named', async () => {
  const { exitCode, stderr } = await run(`${set} --yes`);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--all')]);
});
