import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const folder = mkdtempSync(join(tmpdir(), 'zonewright-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const date = '2026-11-20T14:00:09+00:00';
const later = '2026-12-20T14:00:09+00:00';
const account = {
  ...{ id: 'a1', name: 'Example Ltd', email: 'dns@example.com', date_created: date },
  ...{ state: 'active', suspension: null, deletion: null, progress: null },
};
const suspension = { reason: 'Phishing', answers: 'stop', date_suspended: date };
const suspended = { ...account, state: 'suspended', suspension, progress: { done: 100, total: 230 } };
const deletion = { date_deleted: date, date_removed: later, restorable: true };
const deleted = { ...account, state: 'deleted', deletion };
const removes = { domains: 1, records: 7, keys: 1, users: 2, invitations: 0 };
const plan = { dry_run: true, account: deleted, removes };
const about = `id: a1\ncreated: ${date}\nemail: dns@example.com\nname: Example Ltd\n`;
const suspendedText = `${about}state: suspended, not answered, 100 of 230 domains done: Phishing\n`;
const deletedText = `${about}state: deleted, restorable until ${later}\n`;
const goes = `with it go 1 domain, 7 records, 1 key, 2 users, 0 invitations; it can be restored until ${later}\n`;
const suspend = ['account', 'suspend', 'a1', '--reason', 'Phishing', '--stop-answers'];

const asked = () => server.asked.map(({ request }) => request);

test('account create --invite makes a link for the owner in place of a key', async () => {
  const link = 'https://dns.example.net/invite#zwi_token';
  const invitation = { id: 'i1', email: 'anna@example.com', date_expires: later, link };
  const words = [
    'account',
    'create',
    'Example Ltd',
    '--email',
    'dns@example.com',
    '--invite',
    'anna@example.com',
  ];
  server.answers = [1, 2].map(() => ({ status: 201, body: { account, invitation } }));
  const shown = await server.run(words);
  const invited = `invited: anna@example.com\nexpires: ${later}\nlink: ${link}\n`;
  expect(shown).toMatchObject({ exitCode: 0, stdout: `${about}state: active\n${invited}` });
  expect((await server.run([...words, '--plain'])).stdout).toBe(`${link}\n`);
  const body = { name: 'Example Ltd', email: 'dns@example.com', owner: 'anna@example.com' };
  expect(server.asked.map((one) => JSON.parse(one.body) as unknown)).toEqual([body, body]);
  server.answers = [{ status: 200, body: { dry_run: true, account, invitation } }];
  expect((await server.run([...words, '--dry-run'])).stdout).toBe(
    'email: dns@example.com\nname: Example Ltd\n',
  );
});

test('account suspend shows the account and asks, and suspends after yes', async () => {
  const body = { dry_run: true, account: suspended };
  server.answers = [
    { status: 200, body },
    { status: 200, body: { account: suspended } },
  ];
  const done = await server.run(suspend, { answer: 'y' });
  expect(done).toMatchObject({ exitCode: 0, stdout: suspendedText });
  expect(asked()).toEqual(['PUT /v2/accounts/a1/suspension?dry_run=true', 'PUT /v2/accounts/a1/suspension']);
  expect(server.asked.map((one) => one.body)).toEqual(
    Array(2).fill('{"reason":"Phishing","answers":"stop"}'),
  );
});

test.each([
  ['an answer that is not yes', 'n', [], 0, 'nothing was changed\n'],
  ['a dry run, also with --yes', undefined, ['--dry-run', '--yes'], 0, 'dry run, nothing was changed\n'],
])('account suspend changes nothing after %s', async (_, answer, words, exitCode, stderr) => {
  server.answers = [{ status: 200, body: { dry_run: true, account: suspended } }];
  const done = await server.run([...suspend, ...words], answer === undefined ? {} : { answer });
  expect(done.exitCode).toBe(exitCode);
  expect(done.stderr).toContain(stderr);
  expect(asked()).toEqual(['PUT /v2/accounts/a1/suspension?dry_run=true']);
});

test('account suspend and delete do not ask without a terminal', async () => {
  for (const words of [suspend, ['account', 'delete', 'a1']])
    expect(await server.run(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('use --yes or --dry-run') as string,
    });
  expect(await server.run([...suspend.slice(0, 3)])).toMatchObject({ exitCode: 2 });
  expect(asked()).toEqual([]);
});

test('account resume and restore show the account afterwards', async () => {
  server.answers = [{ status: 204 }, { status: 200, body: { account } }, { status: 200, body: { account } }];
  expect(await server.run('account resume a1')).toMatchObject({ stdout: `${about}state: active\n` });
  expect(await server.run('account restore a1 --json')).toMatchObject({
    stdout: `${JSON.stringify(account)}\n`,
  });
  expect(asked()).toEqual([
    'DELETE /v2/accounts/a1/suspension',
    'GET /v2/accounts/a1',
    'POST /v2/accounts/a1/restore',
  ]);
});

test('account delete shows what goes with the account, and asks', async () => {
  server.answers = [
    { status: 200, body: plan },
    { status: 204 },
    { status: 200, body: { account: deleted } },
  ];
  const done = await server.run('account delete a1', { answer: 'yes' });
  expect(done).toMatchObject({ exitCode: 0, stdout: deletedText });
  expect(done.stderr).toContain(goes);
  expect(asked()).toEqual([
    'DELETE /v2/accounts/a1?dry_run=true',
    'DELETE /v2/accounts/a1',
    'GET /v2/accounts/a1',
  ]);
});

test('account delete of the own account wants its name', async () => {
  const own = { name: 'Example Ltd', email: 'dns@example.com' };
  const path = 'DELETE /v2/account?name=Example+Ltd';
  server.answers = [{ status: 200, body: { account: own } }, { status: 200, body: plan }, { status: 204 }];
  const done = await server.run('account delete', { answer: 'Example Ltd' });
  expect(done.stderr).toContain(`the account is deleted; an operator can restore it until ${later}\n`);
  expect(asked()).toEqual(['GET /v2/account', `${path}&dry_run=true`, path]);
  server.asked = [];
  server.answers = [
    { status: 200, body: { account: own } },
    { status: 200, body: plan },
  ];
  expect(await server.run('account delete')).toMatchObject({ exitCode: 2 });
  server.answers = [
    { status: 200, body: { account: own } },
    { status: 200, body: plan },
  ];
  expect(await server.run('account delete', { answer: '' })).toMatchObject({ exitCode: 0 });
  expect(asked()).not.toContain(path);
});

test('account export writes the archive to a new file', async () => {
  const path = join(folder, 'account.tar.gz');
  server.answers = [{ status: 200, body: 'archive' }];
  expect(await server.run(['account', 'export', path])).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: `${path} has all that the account has (7 bytes)\n`,
  });
  expect(readFileSync(path, 'utf8')).toBe('archive');
  server.answers = [{ status: 200, body: 'other' }];
  expect(await server.run(['account', 'export', path])).toMatchObject({ exitCode: 2 });
  expect(readFileSync(path, 'utf8')).toBe('archive');
  server.answers = [{ status: 200, body: 'other' }];
  expect(await server.run(['account', 'export', path, '--force'])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(path, 'utf8')).toBe('other');
});

test('account export leaves no file if the service refuses, or ends before the end', async () => {
  const path = join(folder, 'broken.tar.gz');
  server.answers = [
    { status: 403, body: { error: 'It lacks account:export', status: 403, code: 'forbidden' } },
  ];
  expect((await server.run(['account', 'export', path])).stderr).toContain('It lacks account:export');
  expect(existsSync(path)).toBe(false);
  server.answers = [{ status: 200, body: 'half', headers: { 'content-length': '8' } }];
  writeFileSync(join(folder, 'other'), '');
  expect(await server.run(['account', 'export', path])).toMatchObject({ exitCode: 1 });
  expect(existsSync(path)).toBe(false);
});
