import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

test.each([
  ['hold', '{"hold":true}'],
  ['resume', '{"hold":false}'],
])('%s says whether a rollover may go on', async (command, sent) => {
  server.answers = [{ status: 204 }];
  expect(await run(`domain dnssec ${command} example.com`)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  const [{ request, body }] = server.asked;
  expect([request, body]).toEqual(['PATCH /dnssec', sent]);
});

test.each([
  [['27933 13 2 0A1B', '1 13 2 00', '--ttl', '60'], { ds: ['27933 13 2 0A1B', '1 13 2 00'], ttl: 60 }],
  [['--none'], { ds: [] }],
])('seen %j sends what the parent zone has', async (words, sent) => {
  server.answers = [{ status: 204 }];
  expect(await run(['domain', 'dnssec', 'seen', 'example.com', ...words])).toMatchObject({ exitCode: 0 });
  const [{ request, body }] = server.asked;
  expect([request, JSON.parse(body)]).toEqual(['POST /dnssec/ds_seen', sent]);
});

test('seen needs DS records, or the word that there are none', async () => {
  for (const words of [[], ['1 13 2 00', '--none']]) {
    expect(await run(['domain', 'dnssec', 'seen', 'example.com', ...words])).toMatchObject({
      exitCode: 2,
      stderr: 'zonewright: seen needs either DS records or --none\n',
    });
  }
  expect(server.asked).toEqual([]);
});
