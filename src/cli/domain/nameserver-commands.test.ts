import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const meta = (total: number) => ({ total, links: { next: '', prev: '' } });
const domainsReply = {
  status: 200,
  body: { domains: ['a.example', 'b.example'].map((domain) => ({ domain })), meta: meta(2) },
};
const shown = { status: 200, body: { domain: {} }, headers: { etag: '"1"' } };
const records = (...hosts: string[]) => ({
  status: 200,
  body: {
    records: hosts.map((data) => ({ id: `id-${data}`, type: 'NS', name: '', data, ttl: 300 })),
    meta: meta(2),
  },
});
const changed = { status: 200, body: { changes: { created: [], updated: [], deleted: [], unchanged: 0 } } };
const set = 'domain nameservers set ns1.example.net NS2.example.net.';

test('the nameservers of all domains that have the placeholder are replaced in one batch each', async () => {
  server.answers = [
    domainsReply,
    shown,
    records('ns1.zonewright.invalid'),
    shown,
    records('ns.other.example'),
    changed,
  ];
  const { exitCode, stderr } = await run(`${set} --all --replacing ns1.zonewright.invalid --yes`);
  expect([exitCode, stderr.split('\n').at(-2)]).toEqual([0, 'changed the nameservers of 1 domain']);
  const writes = server.asked.filter(({ request }) => request.startsWith('POST'));
  expect(writes).toHaveLength(1);
  expect(writes[0].headers['if-match']).toBe('"1"');
  const { delete: deleted, create } = JSON.parse(writes[0].body) as Record<string, { data: string }[]>;
  expect(deleted).toEqual(['id-ns1.zonewright.invalid']);
  expect(create.map(({ data }) => data)).toEqual(['ns1.example.net.', 'ns2.example.net.']);
});

test('a dry run shows the plan and writes nothing', async () => {
  server.answers = [shown, records('ns1.example.net', 'ns9.example.net')];
  const { exitCode, stdout } = await run(`${set} --domain a.example --dry-run --plain`);
  expect([exitCode, stdout]).toEqual([
    0,
    'a.example\tns1.example.net ns9.example.net\tns1.example.net ns2.example.net\n',
  ]);
  expect(server.asked.every(({ request }) => request.startsWith('GET'))).toBe(true);
});

test('domains that have the nameservers already are left alone', async () => {
  server.answers = [shown, records('ns1.example.net', 'ns2.example.net')];
  expect(await run(`${set} --domain a.example --yes`)).toMatchObject({
    exitCode: 0,
    stderr: 'nothing to change\n',
  });
});

test('the domains must be named', async () => {
  const { exitCode, stderr } = await run(`${set} --yes`);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--all')]);
});
