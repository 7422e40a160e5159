import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const changes = { created: [www], updated: [], deleted: [], unchanged: 3 };

test('revert shows the plan, asks, and applies it', async () => {
  server.answers = [
    { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } },
    { status: 200, body: { dry_run: true, changes, warnings: [] } },
    { status: 200, body: { changes } },
  ];
  const { exitCode, stderr } = await run('revert example.com --to 5 --note oops', { answer: 'yes' });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^\+\twww\t300\tA\t-\t192\.0\.2\.1\nChange example\.com: 1 created.*\n1 created, .*\n$/,
  );
  expect(server.asked.map(({ request, body }) => [request, body])).toEqual([
    ['GET ', ''],
    ['POST /revert?dry_run=true', '{"to":5}'],
    ['POST /revert', '{"to":5}'],
  ]);
  expect(server.asked[2].headers).toMatchObject({ 'if-match': '"5-7"', 'x-change-note': 'oops' });
});
