import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;
const notFound = { status: 404, body: { error: 'unknown', status: 404, code: 'not_found' } };
const signed = {
  status: 200,
  body: { dns_sec: ['a.b.example.com IN DNSKEY 257 3 13 AAAA', 'a.b.example.com IN DS 27933 13 2 0A1B'] },
};
const found = { status: 200, headers: { etag: '"1-2"' }, body: { domain: { domain: 'example.com' } } };

function page(...data: readonly string[]) {
  const records = data.map((text, i) => ({ id: `r${i}`, type: 'DS', name: 'a.b', data: text, ttl: 60 }));
  return { status: 200, body: { records, meta: { total: data.length, links: { next: '', prev: '' } } } };
}

const changed = {
  status: 200,
  body: { changes: { created: [{ id: 'n' }], updated: [], deleted: [], unchanged: 0 } },
};

test('publish writes the DS record into the closest domain above', async () => {
  server.answers = [signed, notFound, found, page('ns1.example.net'), page(), changed];
  const { exitCode, stderr } = await run('domain dnssec publish A.b.example.com');
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^example\.com: /)]);
  expect(server.asked.map(({ request }) => request.replace(/\?.*/, ''))).toEqual([
    'GET /v2/domains/a.b.example.com/dnssec',
    'GET /v2/domains/b.example.com',
    'GET ',
    'GET /records',
    'GET /records',
    'POST /batch',
  ]);
  const { headers, body } = server.asked[5];
  expect(headers).toMatchObject({ 'if-match': '"1-2"' });
  expect(JSON.parse(body)).toEqual({
    delete: [],
    update: [],
    create: [{ name: 'a.b', type: 'DS', data: '27933 13 2 0A1B', ttl: 3600 }],
  });
});

test('publish changes nothing if the record is there, in whatever spelling', async () => {
  server.answers = [
    signed,
    notFound,
    found,
    page('ns1.example.net'),
    page('4711 8 2 FF', '27933 13 2 0a 1b'),
  ];
  expect((await run('domain dnssec publish a.b.example.com')).stderr).toMatch(/nothing to change/);
  expect(server.asked).toHaveLength(5);
});

test('publish deletes other DS records only with --replace', async () => {
  const others = page('4711 8 2 FF', '27933 13 2 0A1B');
  server.answers = [signed, notFound, found, page('ns1.example.net'), others, changed];
  await run('domain dnssec publish a.b.example.com --replace --ttl 5m');
  expect(JSON.parse(server.asked[5].body)).toEqual({ delete: ['r0'], update: [], create: [] });
});

test('publish says what is missing', async () => {
  server.answers = [signed, notFound, found, page()];
  expect(await run('domain dnssec publish a.b.example.com')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(
      /example\.com does not delegate a\.b\.example\.com: .* record set/,
    ) as string,
  });
  server.answers = [signed, notFound, notFound, notFound];
  expect(await run('domain dnssec publish a.b.example.com')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringMatching(/no domain above a\.b\.example\.com is in your account/) as string,
  });
  server.answers = [{ status: 200, body: { dns_sec: [] } }];
  expect(await run('domain dnssec publish a.b.example.com')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(/is not signed: zonewright domain dnssec on/) as string,
  });
});
