import { afterAll, expect, test } from 'vitest';
import { runCommand, startPreparedServer } from './command-line.test-support.ts';

const server = await startPreparedServer();
afterAll(() => server.close());

async function suggest(line: string, environment: Record<string, string> = {}): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runCommand(['completion', 'words', '--', ...line.split(' ')], {
    environment,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1);
}

test.each([
  ['rec', ['record']],
  ['record li', ['list']],
  ['profile ', ['list', 'set', 'remove']],
  ['record list --data', ['--data', '--data-prefix', '--data-contains']],
  ['key create --scope r', ['read']],
  ['key create --label x --scope a', ['admin']],
  ['domain dnssec example.com --set ', ['enabled', 'disabled']],
  ['record create example.com w', []],
  ['domain create e', []],
  ['nonsense x', []],
  ['zonefile export --url http://127.0.0.1:1 e', []],
])('%j can go on with %j', async (line, words) => {
  const found = await suggest(line, { ZONEWRIGHT_KEY: 'zw_k', ZONEWRIGHT_URL: 'http://127.0.0.1:1' });
  expect(found.filter((word) => word !== 'show')).toEqual(words);
});

test('domains are those of the service that begin so', async () => {
  const meta = { links: { next: '', prev: '' } };
  const domains = ['example.com', 'my-example.org', 'example.net'].map((domain) => ({ domain }));
  server.answers = [{ status: 200, body: { domains, meta } }];
  const environment = { ZONEWRIGHT_KEY: 'zw_k', ZONEWRIGHT_URL: server.url };
  expect(await suggest('record list exa', environment)).toEqual(['example.com', 'example.net']);
  expect(server.asked[0].request).toBe('GET /v2/domains?search=exa&per_page=500');
});

test.each(['bash', 'zsh', 'fish'])('the script for %s asks the programme', async (shell) => {
  const { exitCode, stdout } = await runCommand(['completion', shell]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('zonewright completion words -- ');
});
