import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const run = (...words: string[]) => server.run(words);

const date = '2026-11-20T14:00:09+00:00';
const unlimited = {
  rights: null,
  summary: 'May see domains',
  networks: null,
  date_expires: null,
  date_used: null,
};
const key = { id: 'k1', scope: 'full', label: 'ci', date_created: date, ...unlimited };
const newKey = { ...key, key: 'zw_new' };
const account = { id: 'a1', name: 'Example Ltd', email: 'dns@example.com', date_created: date };
const keyPlan = { dry_run: true, key };
const accountPlan = { dry_run: true, account, key };
const opening = ['account', 'create', 'Example Ltd', '--email', 'dns@example.com'] as const;

test.each([
  [['key', 'create', '--label', 'ci'], { key: newKey }, /\nkey: zw_new\n$/],
  [['key', 'create', '--plain'], { key: newKey }, /^zw_new\n$/],
  [[...opening], { account, key: newKey }, /\nkey: zw_new\n$/],
  [[...opening, '--plain'], { account, key: newKey }, /^zw_new\n$/],
])('%j prints the new key', async (words, body, stdout) => {
  server.answers = [{ status: 201, body }];
  expect(await run(...words)).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(stdout) as string,
    stderr: '',
  });
  expect(server.asked[0].headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  [
    ['key', 'create', '--label', 'ci'],
    keyPlan,
    'scope: full\nlabel: ci\nrights: May see domains\nnetworks: all\n',
    'nothing was changed; this key would be created\n',
  ],
  [['key', 'create', '--plain'], keyPlan, '', 'nothing was changed; this key would be created\n'],
  [
    ['key', 'revoke', 'k1'],
    keyPlan,
    `id: k1\ncreated: ${date}\nscope: full\nlabel: ci\nrights: May see domains\nnetworks: all\nexpires: never\nused: never\n`,
    'nothing was changed; this key would be revoked\n',
  ],
  [
    [...opening],
    accountPlan,
    'email: dns@example.com\nname: Example Ltd\n',
    'nothing was changed; this account and its first key would be created\n',
  ],
  [['key', 'create', '--json'], keyPlan, `${JSON.stringify(keyPlan)}\n`, ''],
  [['key', 'revoke', 'k1', '--json'], keyPlan, `${JSON.stringify(keyPlan)}\n`, ''],
  [[...opening, '--json'], accountPlan, `${JSON.stringify(accountPlan)}\n`, ''],
])('%j --dry-run prints the plan in a single request', async (words, body, stdout, stderr) => {
  server.answers = [{ status: 200, body }];
  expect(await run(...words, '--dry-run')).toEqual({ exitCode: 0, stdout, stderr });
  expect(server.asked.map(({ request }) => request)).toEqual([expect.stringMatching(/\?dry_run=true$/)]);
});

test('key revoke prints nothing', async () => {
  server.answers = [{ status: 204 }];
  expect(await run('key', 'revoke', 'k1')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});
