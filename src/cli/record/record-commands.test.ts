import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const meta = { total: 1, links: { next: '', prev: '' } };
const changes = {
  created: [],
  updated: [{ before: www, after: { ...www, ttl: 60 } }],
  deleted: [],
  unchanged: 0,
};
const plan = { status: 200, body: { dry_run: true, changes, warnings: [] } };

test.each([
  ['--type TXT --name @', 'type=TXT&name=%40'],
  ['--data a.example', 'data=a.example'],
  ['--data-prefix v=spf1', 'data=v%3Dspf1&data_match=prefix'],
  ['--data-contains mail --search x', 'search=x&data=mail&data_match=contains'],
])('list %s sends %s', async (options, query) => {
  server.answers = [{ status: 200, body: { records: [www], meta } }];
  expect((await run(`record list example.com ${options}`)).stdout).toBe('x\twww\t300\tA\t-\t192.0.2.1\n');
  expect(server.asked[0].request).toBe(`GET /records?${query}&per_page=500`);
});

test('export prints all records as they are, a record a line', async () => {
  const body = `${JSON.stringify(www)}\n${JSON.stringify({ ...www, id: 'y' })}\n`;
  server.answers = [{ status: 200, body, headers: { 'content-type': 'application/x-ndjson' } }];
  expect((await run('record export example.com')).stdout).toBe(body);
  expect(server.asked[0].request).toBe('GET /records/export');
});

test('export says so if the connection breaks before the end', async () => {
  const body = `${JSON.stringify(www)}\n{"id":`;
  server.answers = [{ status: 200, body, headers: { 'content-type': 'application/x-ndjson' } }];
  const { exitCode, stderr } = await run('record export example.com');
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('the connection broke in the middle of the answer');
});

test.each([
  ['x --type MX', 'type=MX&search=x'],
  ['--name www --data-contains mail', 'name=www&data=mail&data_match=contains'],
])('search %s sends %s', async (options, query) => {
  server.answers = [{ status: 200, body: { records: [], meta } }];
  expect((await run(`record search ${options}`)).exitCode).toBe(0);
  expect(server.asked[0].request).toBe(`GET /v2/records?${query}&per_page=500`);
});

test.each([
  'list example.com --data a --data-prefix b',
  'search --data-prefix a --data-contains b',
  'list x --data-contains a --data b',
])('%s is refused: only one filter for data is allowed', async (words) => {
  const { exitCode, stderr } = await run(`record ${words}`);
  expect([exitCode, server.asked]).toEqual([2, []]);
  expect(stderr).toContain('cannot be used with option');
});

test('search prints the domain of each record', async () => {
  server.answers = [{ status: 200, body: { records: [{ ...www, domain: 'example.org' }], meta } }];
  expect((await run('record search 192.0.2')).stdout).toBe('example.org\tx\twww\t300\tA\t-\t192.0.2.1\n');
});

test('update changes the given values and prints the result', async () => {
  server.answers = [{ status: 204 }, { status: 200, body: { record: { ...www, ttl: 60 } } }];
  const { stdout } = await run('record update example.com x --ttl 60 --if-match "1" --note why --plain');
  expect(stdout).toBe('x\twww\t60\tA\t-\t192.0.2.1\n');
  expect(server.asked[0]).toMatchObject({
    request: 'PATCH /records/x',
    body: '{"ttl":60}',
    headers: { 'if-match': '"1"', 'x-change-note': 'why' },
  });
});

test.each([
  'record create example.com www A 192.0.2.1',
  'record update example.com x --ttl 60',
  'record delete example.com x',
  'domain create example.com',
  'domain delete example.com',
  'domain restore example.com',
  'domain soa example.com --email a@example.com',
  'domain dnssec on example.com',
  'domain dnssec off example.com --force',
])('%s --dry-run prints the changes and writes nothing', async (line) => {
  server.answers = [plan];
  const { exitCode, stdout } = await run(`${line} --dry-run`);
  expect([exitCode, stdout]).toEqual([0, '~\twww\t300 -> 60\tA\t-\t192.0.2.1\n']);
  expect(server.asked.map(({ request }) => request)).toEqual([expect.stringMatching(/[?&]dry_run=true$/)]);
});

test('record create says that a record exists already in another spelling', async () => {
  server.answers = [{ status: 200, body: { record: www } }];
  const { stderr } = await run('record create example.com WWW A 192.0.2.1 --plain');
  expect(stderr).toBe('note: stored otherwise than given: www 300 A 192.0.2.1\n');
});

test('record create prints the warnings about the record on stderr', async () => {
  const headers = {
    'zone-warnings': 'target_without_domain;severity=warning;name="";type=MX;message="MX names mail."',
  };
  server.answers = [
    { status: 201, body: { record: { ...www, type: 'MX', name: '', priority: 10, data: 'mail' } }, headers },
  ];
  const { exitCode, stdout, stderr } = await run('record create example.com @ MX 10 mail --plain');
  expect([exitCode, stderr]).toEqual([0, 'warning: @ MX: MX names mail.\n']);
  expect(stdout).toContain('mail');
  expect(server.asked.map(({ request }) => request)).toEqual(['POST /records?warnings=true']);
});

test('a batch is read from JSON and sent unchanged', async () => {
  const stdin = '{"update":[{"id":"x","ttl":60}]}';
  server.answers = [{ status: 200, body: { changes } }];
  const { stdout } = await run('record batch example.com --from - --yes --json', { stdin });
  expect(JSON.parse(stdout)).toEqual({ changes });
  expect(JSON.parse(server.asked[0].body)).toEqual({
    delete: [],
    update: [{ id: 'x', ttl: 60 }],
    create: [],
  });
});

test.each(['', '[]', '{}', '{"remove":[]}', '{"delete":"x"}'])('%j is not a batch', async (stdin) => {
  const { exitCode, stderr } = await run('record batch example.com --from - --yes', { stdin });
  expect([exitCode, server.asked]).toEqual([2, []]);
  expect(stderr).toContain('is not a JSON object with the lists delete, update and create');
});

test.each([
  ['3600', 3600],
  ['1h', 3600],
  ['1h30m', 5400],
])('--ttl %s is %i seconds', async (ttl, seconds) => {
  server.answers = [{ status: 201, body: { record: www } }];
  expect((await run(`record create example.com www A 192.0.2.1 --ttl ${ttl}`)).exitCode).toBe(0);
  expect(JSON.parse(server.asked[0].body)).toMatchObject({ ttl: seconds });
});

test('JSON on a terminal has no control characters, and JSON for programs is unchanged', async () => {
  const data = 'a\u009b\u202e';
  const answer = { status: 200, body: { record: { ...www, data } } };
  server.answers = [answer, answer];
  const shown = await run('record show example.com x --json', { isInteractive: true });
  expect(shown.stdout).toContain('"data":"a\\u009b\\u202e"');
  expect((await run('record show example.com x --json')).stdout).toContain(`"data":"${data}"`);
});

test('a batch prints each warning once, with the line of its file', async () => {
  const stdin =
    '{"create":[\n{"type":"MX","name":"@","data":"10 mail","ttl":60},\n{"type":"MX","name":"","data":"20 mail","ttl":60}]}';
  const warning = 'target_without_domain;severity=warning;name="";type=MX';
  const message = 'message="MX names mail."';
  const headers = {
    'zone-warnings': `${warning};record="1";${message}, ${warning};record="2";${message}, more;count=3`,
  };
  const created = ['1', '2'].map((id) => ({ ...www, id, type: 'MX', name: '', data: 'mail', priority: 10 }));
  server.answers = [{ status: 200, body: { changes: { ...changes, created } }, headers }];
  const { stderr } = await run('record batch example.com --from - --yes', { stdin });
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'warning: line 2: @ MX: MX names mail.',
    '… and 3 more; zonewright check lists them all',
  ]);
  expect(server.asked.map(({ request }) => request)).toEqual(['POST /batch?warnings=true']);
});

test('problems of a batch are reported with the lines of its file', async () => {
  const stdin = '{"create":[\n{"type":"A","name":"@","data":"x","ttl":60}]}';
  const problem = {
    list: 'create',
    index: 0,
    field: 'data',
    code: 'invalid_request',
    message: 'not an address',
  };
  const body = { error: 'One problem', status: 400, code: 'invalid_request', problems: [problem], more: 0 };
  server.answers = [{ status: 400, body }];
  const { stderr } = await run('record batch example.com --from - --yes', { stdin });
  expect(stderr.split('\n')[0]).toBe('line 2, create 1, data: not an address');
});
