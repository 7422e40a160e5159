import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const meta = { total: 1, links: { next: '', prev: '' } };
const revision = { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } };
const list = { status: 200, body: { records: [www], meta } };
const changes = {
  created: [],
  updated: [{ before: www, after: { ...www, ttl: 60 } }],
  deleted: [],
  unchanged: 0,
};
const plan = { status: 200, body: { dry_run: true, changes, warnings: [] } };
const written = { status: 200, body: { changes } };

test.each([
  ['ttl example.com 1m', { ttl: 60 }],
  ['rename example.com www web', { name: 'web' }],
])('%s changes the records that it finds', async (line, patch) => {
  server.answers = [revision, list, written];
  const { exitCode, stderr } = await run(`record ${line} --yes`);
  expect([exitCode, stderr]).toEqual([0, 'example.com: 0 created, 1 updated, 0 deleted, 0 unchanged\n']);
  expect(server.asked[2].headers['if-match']).toBe('"5-7"');
  expect(JSON.parse(server.asked[2].body)).toEqual({
    delete: [],
    update: [{ id: 'x', ...patch }],
    create: [],
  });
});

test('replace changes the data in every domain that has it', async () => {
  const found = { status: 200, body: { records: [{ ...www, domain: 'example.com' }], meta } };
  server.answers = [found, revision, list, written];
  expect((await run('record replace 192.0.2.1 192.0.2.9 --yes')).exitCode).toBe(0);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET /v2/records?data=192.0.2.1&per_page=500',
    'GET ',
    'GET /records?data=192.0.2.1&per_page=500',
    'POST /batch?warnings=true',
  ]);
  expect(JSON.parse(server.asked[3].body)).toMatchObject({ update: [{ id: 'x', data: '192.0.2.9' }] });
});

test('records that are as wanted are not changed', async () => {
  server.answers = [revision, list];
  const { exitCode, stderr } = await run('record ttl example.com 5m --yes');
  expect([exitCode, stderr, server.asked.length]).toEqual([0, 'nothing to change\n', 2]);
});

test('--dry-run shows the changes and writes nothing', async () => {
  server.answers = [revision, list, plan];
  const { exitCode, stdout } = await run('record ttl example.com 60 --dry-run');
  expect([exitCode, stdout]).toEqual([0, '~\twww\t300 -> 60\tA\t-\t192.0.2.1\n']);
  expect(server.asked.map(({ request }) => request).at(-1)).toBe('POST /batch?dry_run=true');
});

test.each([
  ['y', 4],
  ['n', 3],
])('on a terminal, it asks after showing the plan: %s sends %i requests', async (answer, requests) => {
  server.answers = [revision, list, plan, written];
  const { exitCode, stdout, stderr } = await run('record ttl example.com 60', {
    answer,
    isInteractive: true,
  });
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/300 -> 60[^]*Change 1 record of 1 domain\? \[y\/N\]/);
  expect(server.asked).toHaveLength(requests);
});

test('with --json, only the result is on stdout', async () => {
  server.answers = [revision, list, plan, written];
  const { stdout } = await run('record ttl example.com 60 --json', { answer: 'y' });
  expect(JSON.parse(stdout)).toEqual({ domain: 'example.com', changes });
});

test('the domain that could not be changed is named', async () => {
  const refused = { status: 412, body: { error: 'The domain has changed', status: 412 } };
  server.answers = [revision, list, refused];
  const { exitCode, stderr } = await run('record ttl example.com 60 --yes');
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringMatching(/^example\.com: nothing was changed\n.* has changed\n$/),
  ]);
});

test('without a terminal, it needs --yes or --dry-run', async () => {
  expect((await run('record ttl example.com 60')).exitCode).toBe(2);
  expect(server.asked).toEqual([]);
});
