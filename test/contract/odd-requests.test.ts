import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDomain, createRecord, domainState, expectError } from '../harness/fixtures.ts';
import { chooseSeed } from '../harness/random.ts';
import { startForFile } from '../harness/service.ts';

/* Requests nobody would think of: each is answered as the contract says, and the service goes on. */

const service = await startForFile();
const { http } = service;
const REQUESTS = 600;

const words = fc.oneof(
  fc.constantFrom(
    '',
    '@',
    '.',
    '..',
    '*',
    'www',
    'A',
    'MX',
    'TXT',
    'SRV',
    'CAA',
    'HTTPS',
    'TYPE65280',
    '\\# 1 00',
    '"',
    '\\',
    '\\046',
    '10 mail.example',
    '0 issue "x"',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const values = fc.oneof(
  { weight: 5, arbitrary: words },
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false),
  fc.array(words, { maxLength: 2 }),
  fc.dictionary(words, words, { maxKeys: 2 }),
);
const members = fc.constantFrom(
  'type',
  'name',
  'data',
  'ttl',
  'priority',
  'domain',
  'ip',
  'dns_sec',
  'email',
  'nsprimary',
  'label',
  'scope',
  '__proto__',
  'x',
);
const bodies = fc.oneof({ weight: 8, arbitrary: fc.dictionary(members, values, { maxKeys: 5 }) }, values);
const segments = fc.oneof(
  words.map(encodeURIComponentOrEmpty),
  fc.constantFrom('DOMAIN', 'RECORD', 'domains', 'records', 'soa', 'dnssec', '%', '%00', '%zz', '..', '.'),
);
const paths = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'domains',
      'domains/DOMAIN',
      'domains/DOMAIN/records',
      'domains/DOMAIN/records/RECORD',
      'domains/DOMAIN/soa',
      'keys',
    ),
  },
  fc.array(segments, { maxLength: 5 }).map((parts) => parts.join('/')),
);
const queries = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  words.map((word) => `?per_page=${encodeURIComponentOrEmpty(word)}`),
  words.map((word) => `?cursor=${encodeURIComponentOrEmpty(word)}`),
);

function encodeURIComponentOrEmpty(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '';
  }
}

test('rule 8: random requests get answers of the contract and change only the requested domain', async () => {
  const seed = chooseSeed();
  console.log(`TEST_SEED=${seed}`);
  const bystander = await createDomain(service);
  await createRecord(service, bystander, { type: 'TXT', data: 'untouched' });
  const before = await domainState(service, bystander);
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, {});
  const requests = fc.sample(
    fc.tuple(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH'), paths, queries, bodies),
    { seed, numRuns: REQUESTS },
  );
  for (const [method, path, query, body] of requests) {
    const target = `/v2/${path.replaceAll('DOMAIN', domain).replaceAll('RECORD', record.id)}${query}`;
    const text = method === 'GET' ? undefined : (JSON.stringify(body) as string | undefined);
    const reply = await http.request(method, target, text);
    const context = `${method} ${target} ${String(text)} → ${reply.status} ${reply.text}`;
    expect([200, 201, 204, 400, 403, 404, 405, 409], context).toContain(reply.status);
    if (reply.status >= 400) expectError(reply, reply.status);
  }
  expect(await domainState(service, bystander)).toEqual(before);
  expect((await http.get('/readyz')).status).toBe(200);
  expect(service.output()).not.toMatch(/"level":"error"/);
});

test('rule 27: a record that would make its RRset too large for a DNS message is refused', async () => {
  const domain = await createDomain(service);
  let accepted = 0;
  for (let i = 0; i < 20; i++) {
    const data = `${String(i).padStart(2, '0')}${'x'.repeat(4094)}`;
    const reply = await http.post(`/v2/domains/${domain}/records`, {
      type: 'TXT',
      name: 'big',
      data,
      ttl: 60,
    });
    if (reply.status === 201) accepted++;
    else expectError(reply, [400, 409]);
    const seen = await service.dns.look(`big.${domain}`, 'TXT', { tcp: true });
    expect(seen, `after ${i + 1} records`).toHaveLength(accepted);
  }
  expect(accepted).toBeGreaterThanOrEqual(15);
});

test('rule 6: a client that waits for 100 Continue before it sends its body is served', async () => {
  const body = { domain: 'expect-continue.example' };
  const reply = await http.post('/v2/domains', body, { headers: { expect: '100-continue' } });
  expect(reply.status, reply.text).toBe(201);
});
