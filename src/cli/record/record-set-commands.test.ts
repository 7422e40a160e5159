import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const record = (id: string, data: string) => ({ id, type: 'A', name: 'www', data, priority: -1, ttl: 300 });
const revision = { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } };
const list = (...records: object[]) => {
  return { status: 200, body: { records, meta: { total: 1, links: { next: '', prev: '' } } } };
};
const changes = { created: [], updated: [], deleted: [record('2', '192.0.2.2')], unchanged: 0 };
const written = { status: 200, body: { changes } };

function lastBody(): unknown {
  return JSON.parse(server.asked.at(-1)?.body ?? '');
}

test('set writes the difference, if the domain has not changed meanwhile', async () => {
  server.answers = [revision, list(record('1', '192.0.2.1'), record('2', '192.0.2.2')), written];
  const { exitCode, stderr } = await run('record set example.com www A 192.0.2.1 192.0.2.3');
  expect([exitCode, stderr]).toEqual([0, '0 created, 0 updated, 1 deleted, 0 unchanged\n']);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET ',
    'GET /records?name=www&type=A&per_page=500',
    'POST /batch?warnings=true',
  ]);
  expect(server.asked[2].headers['if-match']).toBe('"5-7"');
  expect(lastBody()).toEqual({
    delete: ['2'],
    update: [],
    create: [{ name: 'www', type: 'A', data: '192.0.2.3', ttl: 300 }],
  });
});

test('set changes nothing if the records are as wanted', async () => {
  server.answers = [revision, list(record('1', '192.0.2.1'))];
  const { exitCode, stderr } = await run('record set example.com www A 192.0.2.1');
  expect([exitCode, stderr, server.asked.length]).toEqual([0, 'nothing to change\n', 2]);
});

test('set prints JSON also if nothing changes', async () => {
  server.answers = [revision, list(record('1', '192.0.2.1'))];
  const { stdout } = await run('record set example.com www A 192.0.2.1 --json');
  expect(JSON.parse(stdout)).toEqual({ changes: { created: [], updated: [], deleted: [], unchanged: 1 } });
});

test('a priority that is not in quotes with its host is refused, because each word is a record', async () => {
  const { exitCode, stderr } = await run('record set example.com @ MX 10 mail.example.com');
  expect([exitCode, server.asked]).toEqual([2, []]);
  expect(stderr).toContain('in quotes');
});

test('delete with a type deletes all records of that name and type', async () => {
  server.answers = [revision, list(record('1', '192.0.2.1'), record('2', '192.0.2.2')), written];
  expect((await run('record delete example.com www A')).exitCode).toBe(0);
  expect(lastBody()).toEqual({ delete: ['1', '2'], update: [], create: [] });
});

test('delete with a type says that there are no such records', async () => {
  server.answers = [revision, list()];
  const { exitCode, stderr } = await run('record delete example.com @ mx');
  expect([exitCode, stderr]).toEqual([4, 'zonewright: example.com has no MX records at @\n']);
});

test.each(['record set example.com www A 192.0.2.1', 'record delete example.com www A'])(
  '%s --dry-run shows the changes',
  async (line) => {
    const plan = { status: 200, body: { dry_run: true, changes, warnings: [] } };
    server.answers = [revision, list(record('2', '192.0.2.2')), plan];
    const { exitCode, stdout } = await run(`${line} --dry-run`);
    expect([exitCode, stdout]).toEqual([0, '-\twww\t300\tA\t-\t192.0.2.2\n']);
    expect(server.asked.at(-1)?.request).toBe('POST /batch?dry_run=true');
  },
);
