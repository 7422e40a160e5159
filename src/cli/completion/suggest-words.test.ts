import { expect, test } from 'vitest';
import { prepareServer, runCommand } from '../command-line.test-support.ts';

const server = await prepareServer();

async function suggest(line: string, environment: Record<string, string> = {}): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runCommand(['completion', 'words', '--', ...line.split(' ')], {
    environment,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (line.startsWith(':files') ? line : line.split('\t')[0]));
}

test.each([
  ['rec', ['record']],
  ['record li', ['list']],
  ['profile ', ['list', 'set', 'remove']],
  ['record list --data', ['--data', '--data-prefix', '--data-contains']],
  ['key create --scope r', ['read']],
  ['key create --label x --scope a', ['admin']],
  ['domain dnssec o', ['on', 'off']],
  ['record list --type=CN', ['--type=CNAME']],
  ['record create example.com www SSH', ['SSHFP']],
  ['record create example.com www A ', []],
  ['key create --scope=f', ['--scope=full']],
  ['key create --nonsense=f', []],
  ['copy --from route', ['route53:']],
  ['copy --from file:', [':files\tfile:']],
  ['copy --from=file:zo', [':files\t--from=file:']],
  ['copy --from axfr:ns', []],
  ['zonefile import example.com zo', [':files\t']],
  ['profile set work --url https://dns.example.net --key-file ', [':files\t']],
  ['profile set work --key-file=~/wo', [':files\t--key-file=']],
  ['record create example.com w TXT -- -', []],
  ['domain nonsense ', []],
  ['record create example.com w', []],
  ['domain create e', []],
  ['nonsense x', []],
  ['zonefile export --url http://127.0.0.1:1 e', []],
])('%j is completed with %j', async (line, words) => {
  const found = await suggest(line, { ZONEWRIGHT_KEY: 'zw_k', ZONEWRIGHT_URL: 'http://127.0.0.1:1' });
  expect(found.filter((word) => word !== 'show')).toEqual(words);
});

test('domains are completed from the service', async () => {
  const meta = { links: { next: '', prev: '' } };
  const domains = ['example.com', 'my-example.org', 'example.net'].map((domain) => ({ domain }));
  server.answers = [{ status: 200, body: { domains, meta } }];
  const environment = { ZONEWRIGHT_KEY: 'zw_k', ZONEWRIGHT_URL: server.url };
  expect(await suggest('record list exa', environment)).toEqual(['example.com', 'example.net']);
  expect(server.asked[0].request).toBe('GET /v2/domains?search=exa&per_page=500');
});

test.each(['bash', 'zsh', 'fish'])('the script for %s asks the program', async (shell) => {
  const { exitCode, stdout } = await runCommand(['completion', shell]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('zonewright completion words -- ');
});
