import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const run = (...words: string[]) => server.run(words);

const date = '2026-11-20T14:00:09+00:00';
const anna = {
  id: 'u1',
  email: 'anna@example.com',
  name: 'Anna',
  operator: false,
  role: 'owner',
  grants: null,
  date_joined: date,
  password: true,
  one_time_codes: true,
  passkeys: 2,
};
const grants = [{ role: 'editor', domains: ['a.example', 'b.example'] }];
const bert = { ...anna, id: 'u2', email: 'bert@example.com', name: 'Bert', role: null, grants };
const invitation = {
  id: 'i1',
  email: null,
  role: 'viewer',
  grants: null,
  operator: false,
  date_created: date,
  date_expires: date,
  created_by: 'user:u1',
};
const link = 'https://dns.example.net/invite#zwi_token';
const proofs = 'password with one-time codes, 2 passkeys';

test('user list and show print roles and ways to sign in', async () => {
  server.answers = [
    { status: 200, body: { users: [anna, bert] } },
    { status: 200, body: { users: [anna, bert] } },
  ];
  const list = await run('user', 'list', '--account', 'a/1');
  expect(list.stdout).toBe(
    `u1\tanna@example.com\towner\tAnna\t${date}\t${proofs}\n` +
      `u2\tbert@example.com\teditor of a.example, b.example\tBert\t${date}\t${proofs}\n`,
  );
  const shown = await run('user', 'show', 'Bert@Example.com');
  expect(shown.stdout).toContain('role: editor of a.example, b.example\n');
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET /v2/users?account=a%2F1',
    'GET /v2/users',
  ]);
});

test('a user whom the account does not have is not found', async () => {
  server.answers = [{ status: 200, body: { users: [anna] } }];
  expect(await run('user', 'remove', 'carl@example.com')).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'zonewright: the account has no user "carl@example.com"\n',
  });
});

test('user set-role finds the user by its address, and limits the role to domains', async () => {
  server.answers = [
    { status: 200, body: { users: [anna, bert] } },
    { status: 200, body: { user: bert } },
  ];
  const words = ['user', 'set-role', 'bert@example.com', 'editor', '--domain', 'a.example', 'b.example'];
  expect(await run(...words)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(server.asked[1]).toMatchObject({
    request: 'PATCH /v2/users/u2',
    body: JSON.stringify({ grants }),
  });
});

test('an owner cannot be limited to domains', async () => {
  const refused = await run('user', 'set-role', 'u2', 'owner', '--domain', 'a.example');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(server.asked).toEqual([]);
});

test.each([
  [[], new RegExp(`^id: i1\nemail: anybody with the link\nrole: viewer\nexpires: .*\nlink: ${link}\n$`)],
  [['--plain'], new RegExp(`^${link}\n$`)],
  [['--json'], /"link":"https:/],
])('user invite %j shows the link once', async (options, stdout) => {
  server.answers = [{ status: 201, body: { invitation: { ...invitation, link } } }];
  const made = await run('user', 'invite', '--role', 'viewer', '--account', 'a1', ...options);
  expect(made).toEqual({ exitCode: 0, stdout: expect.stringMatching(stdout) as string, stderr: '' });
  expect(server.asked[0]).toMatchObject({
    request: 'POST /v2/invitations',
    body: '{"account":"a1","role":"viewer"}',
  });
});

test.each([
  [['user', 'remove', 'u2'], { user: bert }, 'DELETE /v2/users/u2', 'this user would be removed'],
  [
    ['user', 'set-role', 'u2', 'viewer'],
    { user: bert },
    'PATCH /v2/users/u2',
    'this user would have that role',
  ],
  [
    ['user', 'invite', '--role', 'viewer'],
    { invitation },
    'POST /v2/invitations',
    'this invitation would be made',
  ],
  [
    ['user', 'revoke-invitation', 'i1'],
    { invitation },
    'DELETE /v2/invitations/i1',
    'this invitation would be revoked',
  ],
  [
    ['user', 'recover', 'u2'],
    { recovery: { date_expires: date } },
    'POST /v2/users/u2/recovery',
    'a link would be made',
  ],
])('%j --dry-run says what would happen', async (words, plan, request, sentence) => {
  server.answers = [{ status: 200, body: { dry_run: true, ...plan } }];
  const planned = await run(...words, '--dry-run');
  expect(planned).toMatchObject({ exitCode: 0, stderr: `nothing was changed; ${sentence}\n` });
  expect(server.asked[0].request).toBe(`${request}?dry_run=true`);
});

test('users and invitations are removed, and a recovery shows its link', async () => {
  server.answers = [
    { status: 204 },
    { status: 204 },
    { status: 200, body: { invitations: [invitation] } },
    { status: 201, body: { recovery: { date_expires: date, link } } },
  ];
  const nothing = { exitCode: 0, stdout: '', stderr: '' };
  expect(await run('user', 'remove', 'u2')).toEqual(nothing);
  expect(await run('user', 'revoke-invitation', 'i1')).toEqual(nothing);
  expect((await run('user', 'invitations')).stdout).toBe(`i1\tanybody with the link\tviewer\t${date}\n`);
  expect((await run('user', 'recover', 'u2', '--plain')).stdout).toBe(`${link}\n`);
});
