import { expect, test } from 'vitest';
import { prepareServer } from './command-line.test-support.ts';

const server = await prepareServer();
const run = (...words: string[]) => server.run(words);

test('the revision that show prints is what --if-match takes', async () => {
  const shown = { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } };
  server.answers = [shown, { status: 204 }, shown];
  const { stdout } = await run('domain', 'show', 'example.com', '--revision');
  expect(stdout).toBe('"5-7"\n');
  expect((await run('domain', 'delete', 'example.com', '--if-match', stdout.trim())).exitCode).toBe(0);
  expect(server.asked[1].headers['if-match']).toBe('"5-7"');
  const json = await run('domain', 'show', 'example.com', '--revision', '--json');
  expect(JSON.parse(json.stdout)).toEqual({ revision: '"5-7"' });
});
