import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';
import type { TextTerminalOptions } from '../terminal/text-terminal.test-support.ts';

const server = await prepareServer();
const linkOf = (place: string) => `${server.url}/${place}#zwi_token`;

/** Without a key in the environment. */
const run = (words: readonly string[], options: TextTerminalOptions = {}) =>
  server.run(['user', 'join', ...words], { ...options, environment: { ZONEWRIGHT_KEY: '' } });

const open = {
  kind: 'invitation',
  email: null,
  account: 'Example Ltd',
  role: 'viewer',
  grants: null,
  operator: false,
  date_expires: '2026-11-20T14:00:09+00:00',
};
const joined = { session: { id: 's1' }, user: { id: 'u1', email: 'bert@example.com' }, accounts: [] };

const answers = (invitation: object) => [
  { status: 200, body: { invitation } },
  { status: 201, body: joined },
];

test('user join sends what a new user needs, and no key', async () => {
  server.answers = answers(open);
  const words = [linkOf('invite'), '--email', 'bert@example.com', '--name', 'Bert', '--password-file', '-'];
  const done = await run(words, { stdin: 'correct horse battery\n' });
  expect(done).toMatchObject({ exitCode: 0, stderr: 'This is an invitation to Example Ltd (viewer).\n' });
  expect(done.stdout).toMatch(/^bert@example.com belongs to Example Ltd now\nNext: sign in at http/);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'POST /v2/invitation',
    'POST /v2/invitation/accept',
  ]);
  expect(JSON.parse(server.asked[1].body)).toEqual({
    token: 'zwi_token',
    email: 'bert@example.com',
    name: 'Bert',
    password: 'correct horse battery',
  });
  expect(server.asked.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
});

test('user join asks for what is missing, and never shows the password', async () => {
  server.answers = answers({ ...open, email: 'bert@example.com', role: 'owner' });
  const done = await run([linkOf('invite'), '--name', 'Bert'], { answer: 'a secret of many words' });
  expect(done).toMatchObject({ exitCode: 0 });
  expect(done.stderr).toContain('password (at least 12 characters');
  expect(`${done.stdout}${done.stderr}`).not.toContain('a secret of many words');
  expect(JSON.parse(server.asked[1].body)).toMatchObject({ password: 'a secret of many words' });
});

test('user join sends a code of a user who has set them up', async () => {
  server.answers = answers({ ...open, email: 'bert@example.com' });
  const words = [linkOf('invite'), '--name', 'Bert', '--password-file', '-', '--code', '123456'];
  expect(await run(words, { stdin: 'correct horse battery' })).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(server.asked[1].body)).toMatchObject({ code: '123456' });
});

test('a recovery needs only a new password', async () => {
  server.answers = answers({
    ...open,
    kind: 'recovery',
    email: 'bert@example.com',
    account: null,
    role: null,
  });
  const done = await run([linkOf('recover'), '--password-file', '-'], { stdin: 'a new password' });
  expect(done).toMatchObject({ exitCode: 0, stderr: 'This is a new password for bert@example.com.\n' });
  expect(JSON.parse(server.asked[1].body)).toEqual({ token: 'zwi_token', password: 'a new password' });
});

test.each([
  [['https://dns.example.net/invite'], 'not a link such as'],
  [['zwi_token'], 'not a link such as'],
  [['http://u:p@127.0.0.1/invite#zwi_x', '--url', 'http://u:p@127.0.0.1/'], 'must not contain a user name'],
])('user join %j is refused without a request', async (words, sentence) => {
  const refused = await run(words);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(sentence);
  expect(server.asked).toEqual([]);
});

test('without a terminal, options must say what cannot be asked', async () => {
  server.answers = [{ status: 200, body: { invitation: open } }];
  const refused = await run([linkOf('invite'), '--email', 'bert@example.com']);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('not a terminal, cannot ask: use --name');
});

test('a link that was used is not found', async () => {
  const error = { error: 'There is no such invitation', status: 404, code: 'unknown_invitation' };
  server.answers = [{ status: 404, body: error }];
  expect(await run([linkOf('invite')])).toMatchObject({ exitCode: 4, stdout: '' });
});
