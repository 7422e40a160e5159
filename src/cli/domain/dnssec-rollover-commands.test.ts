import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const rollover = {
  id: '0193489f-8a3b-7abc-8def-0123456789ab',
  kind: 'key',
  step: 'published',
  date_created: '2026-11-20T09:03:31+00:00',
  date_step: '2026-11-20T09:03:31+00:00',
  date_next: null,
};

function statusWith(found: object | null) {
  return { status: 200, body: { dnssec: { state: 'rolling', rollover: found } } };
}

test('roll begins a rollover, and says where its next step is shown', async () => {
  server.answers = [{ status: 201, body: { rollover } }];
  expect(await run('domain dnssec roll example.com')).toEqual({
    exitCode: 0,
    stdout: `id: ${rollover.id}\nkind: key\nstep: published\n`,
    stderr:
      'The key of example.com is being exchanged. Nothing has to be done until the DS record at the parent zone has to be replaced: zonewright domain dnssec status example.com says when, and what happens meanwhile\n',
  });
  const [{ request, body }] = server.asked;
  expect([request, body]).toEqual(['POST /dnssec/rollovers', '{}']);
});

test('roll sends the algorithm, and takes no other than 13 and 15', async () => {
  server.answers = [{ status: 201, body: { rollover } }];
  const { stdout } = await run('domain dnssec roll example.com --algorithm 15 --note yearly --json');
  expect(JSON.parse(stdout)).toEqual(rollover);
  const [{ headers, body }] = server.asked;
  expect([headers['x-change-note'], body]).toEqual(['yearly', '{"algorithm":15}']);
  expect(await run('domain dnssec roll example.com --algorithm 8')).toMatchObject({ exitCode: 2 });
});

test('cancel finds the rollover and removes it', async () => {
  server.answers = [statusWith(rollover), { status: 204 }];
  expect(await run('domain dnssec cancel example.com')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET /dnssec/status',
    `DELETE /dnssec/rollovers/${rollover.id}`,
  ]);
});

test('cancel says what is to be done where there is no rollover', async () => {
  server.answers = [statusWith(null), statusWith({ ...rollover, kind: 'withdrawal', step: 'withdrawing' })];
  expect(await run('domain dnssec cancel example.com')).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'zonewright: no key of example.com is being exchanged\n',
  });
  expect(await run('domain dnssec cancel example.com')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('zonewright domain dnssec on example.com takes that back') as string,
  });
  expect(server.asked).toHaveLength(2);
});

test('cancel says why the service refuses it', async () => {
  const error = { error: 'The rollover cannot be cancelled', status: 409, code: 'dnssec_conflict' };
  server.answers = [statusWith(rollover), { status: 409, body: error }];
  expect(await run('domain dnssec cancel example.com')).toMatchObject({
    exitCode: 3,
    stderr: 'zonewright: The rollover cannot be cancelled\n',
  });
});
