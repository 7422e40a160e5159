import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;
const folder = mkdtempSync(join(tmpdir(), 'zonefile-'));
const file = join(folder, 'example.zone');
writeFileSync(file, 'www 300 A 192.0.2.2\n');
afterAll(() => rmSync(folder, { recursive: true }));

const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const apexMx = { id: 'y', type: 'MX', name: '', data: 'mail.example.com', priority: 10, ttl: 3600 };
const changes = {
  created: [apexMx],
  updated: [{ before: www, after: { ...www, data: '192.0.2.2' } }],
  deleted: [],
  unchanged: 4,
};
const setAside = { line: 3, reason: 'of the old provider', record: '@ NS ns1.old.example.' };
const adjusted = {
  code: 'duplicate',
  count: 3,
  message: 'the file has it twice',
  examples: [{ line: 5, record: 'www 300 IN A 192.0.2.1' }],
};
const warning = {
  code: 'c',
  severity: 'warning',
  name: '',
  type: 'MX',
  record: null,
  message: 'It points nowhere',
};
const plan = { dry_run: true, changes, warnings: [warning], set_aside: [setAside], adjusted: [adjusted] };
const done = { changes, warnings: [warning], set_aside: [setAside], adjusted: [adjusted] };
const revision = { status: 200, body: { domain: {} }, headers: { etag: '"5-7"' } };
const table = '~\twww\t300\tA\t-\t192.0.2.1 -> 192.0.2.2\n+\t@\t3600\tMX\t10\tmail.example.com\n';
const said =
  'adjusted: line 5: www 300 IN A 192.0.2.1 and 2 more: the file has it twice\n' +
  'skipped: line 3: @ NS ns1.old.example.: of the old provider\nwarning: @ MX: It points nowhere\n';

test('export prints the zone file, or writes it to a file', async () => {
  const text = '@ 300 IN A 192.0.2.1\n';
  server.answers = [200, 200, 200].map((status) => ({ status, body: text }));
  expect(await run('zonefile export example.com --at 7')).toEqual({ exitCode: 0, stdout: text, stderr: '' });
  const to = join(folder, 'exported.zone');
  expect(await run(`zonefile export example.com --to ${to}`)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(to, 'utf8')).toBe(text);
  expect((await run('zonefile export example.com --dnssec')).stdout).toBe(text);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET /zonefile?at=7',
    'GET /zonefile',
    'GET /zonefile?dnssec=true',
  ]);
});

test('export overwrites a file only with --force', async () => {
  const to = join(folder, 'precious.zone');
  writeFileSync(to, 'before');
  server.answers = [200, 200].map((status) => ({ status, body: 'after' }));
  expect(await run(`zonefile export example.com --to ${to}`)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`${to} exists already: use another name, or --force`) as string,
  });
  expect(readFileSync(to, 'utf8')).toBe('before');
  expect((await run(`zonefile export example.com --to ${to} --force`)).exitCode).toBe(0);
  expect(readFileSync(to, 'utf8')).toBe('after');
});

test('problems in an included file are printed with its name', async () => {
  writeFileSync(join(folder, 'hosts.inc'), 'ok A 192.0.2.1\nwww A 192.0.2.300\n');
  const main = join(folder, 'main.zone');
  writeFileSync(main, '$TTL 60\n$INCLUDE hosts.inc\n');
  const problems = [{ line: 4, column: 7, code: 'invalid_request', message: 'wrong address' }];
  server.answers = [{ status: 400, body: { error: 'wrong', status: 400, problems, more: 0 } }];
  const { stderr } = await run(`zonefile import example.com ${main} --yes`);
  expect(server.asked[0]?.body.split('\n')[3]).toBe('www A 192.0.2.300');
  expect(stderr).toContain(`${join(folder, 'hosts.inc')}, line 2, column 7: wrong address`);
});

test('skipped and adjusted records of an included file are printed with its name', async () => {
  writeFileSync(join(folder, 'hosts.inc'), 'ok A 192.0.2.1\nok A 192.0.2.1\n');
  const main = join(folder, 'main.zone');
  writeFileSync(main, '$TTL 60\n$INCLUDE hosts.inc\n');
  const entries = {
    set_aside: [{ ...setAside, line: 3 }],
    adjusted: [{ ...adjusted, examples: [{ line: 4, record: 'ok 60 IN A 192.0.2.1' }] }],
  };
  server.answers = [{ status: 200, body: { ...done, ...entries } }];
  const { stderr } = await run(`zonefile import example.com ${main} --yes`);
  const included = join(folder, 'hosts.inc');
  expect(stderr).toContain(`adjusted: ${included}, line 2: ok 60 IN A 192.0.2.1`);
  expect(stderr).toContain(`skipped: ${included}, line 1: @ NS`);
});

test('import --create creates the domain in the same step', async () => {
  const missing = { status: 404, body: { error: 'Invalid domain', status: 404, code: 'unknown_domain' } };
  server.answers = [missing, { status: 200, body: plan }, { status: 200, body: done }];
  const { exitCode } = await run(`zonefile import example.com ${file} --create`, { answer: 'y' });
  expect(exitCode).toBe(0);
  const asked = server.asked.map(({ request, headers }) => [request, headers['if-none-match']]);
  // If the domain appears before the plan is accepted, the user has not seen its changes.
  expect(asked).toEqual([
    ['GET ', undefined],
    ['POST /zonefile?create=true&dry_run=true', '*'],
    ['POST /zonefile?create=true', '*'],
  ]);
  server.answers = [missing];
  expect(await run(`zonefile import example.com ${file}`, { answer: 'y' })).toMatchObject({ exitCode: 4 });
});

test('import shows the plan, asks, and writes only to the revision that was shown', async () => {
  server.answers = [revision, { status: 200, body: plan }, { status: 200, body: done }];
  const { exitCode, stdout, stderr } = await run(`zonefile import example.com ${file} --note moved`, {
    answer: 'y',
  });
  const question = 'Change example.com: 1 created, 1 updated, 0 deleted, 4 unchanged? [y/N] y\n';
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toBe(`${table}${said}${question}1 created, 1 updated, 0 deleted, 4 unchanged\n`);
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET ',
    'POST /zonefile?dry_run=true',
    'POST /zonefile',
  ]);
  expect(server.asked[2]).toMatchObject({
    headers: { 'if-match': '"5-7"', 'x-change-note': 'moved', 'content-type': 'text/dns' },
    body: 'www 300 A 192.0.2.2\n',
  });
});

test.each(['', 'n', 'yellow'])('the answer %j means no, and nothing is written', async (answer) => {
  server.answers = [revision, { status: 200, body: plan }];
  const { exitCode, stderr } = await run(`zonefile import example.com ${file}`, { answer });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/\nnothing was changed\n$/);
  expect(server.asked).toHaveLength(2);
});

test('without a terminal, nothing is sent unless --yes or --dry-run is given', async () => {
  const { exitCode, stderr } = await run(`zonefile import example.com ${file}`);
  expect([exitCode, server.asked]).toEqual([2, []]);
  expect(stderr).toContain('use --yes or --dry-run');
});

test("--dry-run prints the changes and stops; --json prints the service's answer", async () => {
  server.answers = [plan, plan].map((body) => ({ status: 200, body }));
  expect(await run(`zonefile import example.com ${file} --replace --dry-run`)).toEqual({
    exitCode: 0,
    stdout: table,
    stderr: `${said}dry run, nothing was changed: 1 created, 1 updated, 0 deleted, 4 unchanged\n`,
  });
  const { stdout } = await run(`zonefile import example.com ${file} --replace --dry-run --json`);
  expect(JSON.parse(stdout)).toEqual(plan);
  const asked = server.asked.map(({ request }) => request);
  expect(asked).toEqual(['PUT /zonefile?dry_run=true', 'PUT /zonefile?dry_run=true']);
});

test('--yes writes without asking, also from stdin', async () => {
  server.answers = [{ status: 200, body: done }];
  const { stdout } = await run('zonefile import example.com - --yes --json', { stdin: 'a 1 A 192.0.2.9' });
  expect(JSON.parse(stdout)).toEqual(done);
  expect(server.asked).toMatchObject([{ request: 'POST /zonefile', body: 'a 1 A 192.0.2.9' }]);
});

test('all problems of a file are printed with their places', async () => {
  const problems = [
    { line: 2, column: 7, code: 'c', message: 'TTL "x" is none' },
    { list: 'create', index: 3, field: 'data', code: 'c', message: 'no address' },
  ];
  const body = { error: '3 things are wrong', status: 400, code: 'invalid_request', problems, more: 1 };
  server.answers = [{ status: 400, body }];
  expect(await run(`zonefile import example.com ${file} --yes`)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr:
      'line 2, column 7: TTL "x" is none\ncreate 4, data: no address\n… and 1 more\nzonewright: 3 things are wrong\n',
  });
});

test('diff exits with 9 if there are differences, and with 0 otherwise', async () => {
  const none = { created: [], updated: [], deleted: [], unchanged: 6 };
  server.answers = [
    { status: 200, body: plan },
    { status: 200, body: { ...plan, changes: none } },
  ];
  const different = await run(`zonefile diff example.com ${file}`);
  expect([different.exitCode, different.stdout]).toEqual([9, table]);
  const stderr = said.split('\n').slice(0, 2).join('\n') + '\n';
  expect(await run(`zonefile diff example.com ${file}`)).toEqual({ exitCode: 0, stdout: '', stderr });
});

test('a plan shows the character-strings of text if only they change', async () => {
  const text = { id: 'z', type: 'TXT', name: 'p', data: '"ab"', priority: -1, ttl: 300 };
  const strings = { before: '"ab"', after: '"a" "b"' };
  const updated = [{ before: text, after: { ...text, ttl: 60 }, strings }];
  server.answers = [{ status: 200, body: { ...plan, changes: { ...changes, created: [], updated } } }];
  const { stdout } = await run(`zonefile import example.com ${file} --dry-run`);
  expect(stdout).toBe('~\tp\t300 -> 60\tTXT\t-\t"ab" -> "a" "b"\n');
});

test('reports name the files that have the lines, or the places in a list', async () => {
  writeFileSync(join(folder, 'hosts.inc'), '; hosts\nWWW 300 A 192.0.2.1\n');
  const including = join(folder, 'including.zone');
  writeFileSync(including, '$INCLUDE hosts.inc\n');
  const inFile = { ...adjusted, count: 1, examples: [{ line: 3, record: 'WWW 300 IN A 192.0.2.1' }] };
  const inList = { ...adjusted, count: 1, examples: [{ index: 3, record: 'www 300 IN A 192.0.2.1' }] };
  const body = { ...plan, warnings: [], set_aside: [], adjusted: [inFile, inList] };
  server.answers = [{ status: 200, body }];
  const { stderr } = await run(`zonefile import example.com ${including} --dry-run`);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    `adjusted: ${join(folder, 'hosts.inc')}, line 2: WWW 300 IN A 192.0.2.1: the file has it twice`,
    'adjusted: record 4: www 300 IN A 192.0.2.1: the file has it twice',
  ]);
});

test('a missing file is named, and nothing is sent', async () => {
  const { exitCode, stderr } = await run('zonefile import example.com /nowhere.zone --yes');
  expect([exitCode, stderr]).toEqual([2, 'zonewright: /nowhere.zone cannot be read (ENOENT)\n']);
});
