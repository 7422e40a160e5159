import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import type { RecordInput } from '../model/parse-record.ts';
import {
  allRecords,
  author,
  decideAtOnce,
  domainOf,
  feedLength,
  record,
  scene,
  sceneOfCount,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import type { PendingBatch } from './pending-batch.ts';
import { MAX_RECORDS_PER_DOMAIN } from './decide-record.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { WriteResult } from '../model/result.ts';

/** The shape of most answers, for tables: `created r1`, `kept r1`, or the code of the refusal. */
function told(result: WriteResult<{ id: string } | null>): string {
  if (!result.ok) return result.refusal.code;
  return `${result.changed ? 'created' : 'kept'} ${result.value?.id ?? ''}`.trim();
}

function sentence(result: WriteResult<unknown>): string {
  return result.ok ? 'no refusal' : result.refusal.message;
}

test.each<[string, string, Partial<RecordInput>, string, Partial<RecordInput>, string]>([
  ['the very same', 'www A 192.0.2.1', {}, 'www A 192.0.2.1', {}, 'kept r1'],
  ['the name in another case', 'www A 192.0.2.1', {}, 'WWW A 192.0.2.1', {}, 'kept r1'],
  ['the name in full', 'www A 192.0.2.1', {}, 'www.example.com. A 192.0.2.1', {}, 'kept r1'],
  ['the address spelled otherwise', 'www AAAA 2001:db8::1', {}, 'www AAAA 2001:DB8:0::1', {}, 'kept r1'],
  ['the type by number', 'www A 192.0.2.1', {}, 'www TYPE1 \\# 4 C0000201', {}, 'kept r1'],
  ['the target in another case', 'x CNAME host.example.net', {}, 'x CNAME Host.Example.NET.', {}, 'kept r1'],
  ['the target as A-label', 'x CNAME bücher.example', {}, 'x CNAME xn--bcher-kva.example', {}, 'kept r1'],
  ['text in two strings', 'x TXT "ab"', {}, 'x TXT "a" "b"', {}, 'kept r1'],
  ['the preference in the data', 'x MX mail.test', { priority: 10 }, 'x MX 10 mail.test', {}, 'kept r1'],
  ['text in another case', 'x TXT ab', {}, 'x TXT AB', {}, 'created r2'],
  ['another address', 'www A 192.0.2.1', {}, 'www A 192.0.2.2', {}, 'created r2'],
  ['another preference', 'x MX 10 mail.test', {}, 'x MX 20 mail.test', {}, 'created r2'],
  ['another owner', 'a A 192.0.2.1', {}, 'b A 192.0.2.1', {}, 'created r2'],
  ['another type', 'x TXT "a"', {}, 'x SPF "a"', {}, 'created r2'],
  ['another TTL', 'www A 192.0.2.1', {}, 'www A 192.0.2.1', { ttl: 60 }, 'record_exists'],
  ['another TTL and name case', 'www A 192.0.2.1', {}, 'WWW A 192.0.2.1', { ttl: 60 }, 'record_exists'],
  [
    'another priority',
    'www A 192.0.2.1',
    { priority: 0 },
    'www A 192.0.2.1',
    { priority: 5 },
    'record_exists',
  ],
])('rule 26: a second record with %s', (_, first, firstMore, second, secondMore, expected) => {
  const { create, batch } = scene();
  expect(told(create(first, firstMore))).toBe('created r1');
  const changes = feedLength(batch);
  const result = create(second, secondMore);
  expect(told(result)).toBe(expected);
  expect(feedLength(batch) - changes).toBe(expected.startsWith('created') ? 1 : 0);
  if (expected === 'record_exists') expect(sentence(result)).toContain('record r1');
});

test('rule 26: the refusal of a second record names the priority only of types that have one', () => {
  const { create } = scene('www A 192.0.2.1', 'x MX 10 m.test');
  const ttlOf = (text: string) => /with (.*): it is/.exec(sentence(create(text, { ttl: 9 })))?.[1];
  expect(ttlOf('www A 192.0.2.1')).toMatch(/^TTL \d+$/);
  expect(ttlOf('x MX 10 m.test')).toMatch(/^TTL \d+ and priority 10$/);
});

test('rule 26: a repeat returns the record as it was first written', () => {
  const { create } = scene('WWW A 192.0.2.1');
  expect(create('www A 192.0.2.1')).toMatchObject({
    ok: true,
    changed: false,
    value: { id: 'r1', name: 'WWW' },
  });
});

test.each([
  [
    'www CNAME a.test',
    ['www A 192.0.2.1'],
    'No CNAME record can exist at "www.example.com" beside other data, and it has A records',
  ],
  ['www CNAME a.test', ['www A 192.0.2.1', 'www TXT "a"'], 'beside other data, and it has A, TXT records'],
  [
    'WWW CNAME a.test',
    ['www DNAME b.test'],
    'No CNAME record can exist at "www.example.com", which has a DNAME to "b.test"',
  ],
  [
    'www CNAME a.test',
    ['www CNAME b.test'],
    'No CNAME record can exist at "www.example.com", which has a CNAME to "b.test"',
  ],
  [
    'www A 192.0.2.1',
    ['www CNAME b.test'],
    'No A record can exist at "www.example.com", which has a CNAME to "b.test"',
  ],
  ['www DNAME a.test', ['www CNAME b.test'], 'which has a CNAME to "b.test"'],
  [
    'www DNAME a.test',
    ['www DNAME b.test'],
    'No DNAME record can exist at "www.example.com", which has a DNAME to "b.test"',
  ],
  ['@ CNAME a.test', [], 'No CNAME can exist at the apex of "example.com", beside its SOA and NS records'],
  ['example.com. CNAME a.test', [], 'No CNAME can exist at the apex'],
])('rule 27: %s is a conflict with %j', (text, standing, says) => {
  const { create, batch } = scene(...standing);
  const changes = feedLength(batch);
  const result = create(text);
  expect(told(result)).toBe('record_conflict');
  expect(sentence(result)).toContain(says);
  expect(feedLength(batch)).toBe(changes);
});

test.each([
  ['www DNAME a.test', ['www A 192.0.2.1', 'www TXT "a"']],
  ['@ DNAME a.test', []],
  ['www A 192.0.2.1', ['www DNAME a.test']],
  ['a.www A 192.0.2.1', ['www CNAME a.test']],
  ['* CNAME a.test', ['www A 192.0.2.1']],
  ['www NS ns.test', ['www A 192.0.2.1']],
])('rule 27: %s may exist beside %j', (text, standing) => {
  const { create } = scene(...standing);
  expect(told(create(text))).toMatch(/^created/);
});

test('rule 27: an RRset that would not fit into an answer is refused, and what fits is not', () => {
  const { create } = scene();
  const results = Array.from({ length: 17 }, (_, n) =>
    create(`big TXT ${String(n).padStart(2, '0')}${'x'.repeat(4000)}`),
  );
  // 4,002 octets of content and 16 length octets, 12 of a record: 16 fit into 65,535, the next does not.
  expect(results.map((result) => result.ok)).toEqual([...Array<boolean>(16).fill(true), false]);
  expect(told(results[16])).toBe('invalid_request');
  expect(sentence(results[16])).toMatch(
    /^The TXT records at this name would take 68510 octets, more than the 65098 that fit/,
  );
  expect(told(create('big A 192.0.2.1'))).toMatch(/^created/);
});

test('rule 8: an unknown domain and a domain of another account get the same refusal', () => {
  const { create, patch, remove, batch } = scene('www A 192.0.2.1');
  const changes = feedLength(batch);
  const unknown = decideAtOnce(
    {
      kind: 'createRecord',
      author,
      domain: 'example.net' as ZoneName,
      record: record('x', 'www A 192.0.2.1'),
    },
    batch,
  );
  expect(sentence(unknown)).toBe('Invalid domain: there is no domain "example.net" in this account');
  for (const result of [
    create('www A 192.0.2.1', {}, stranger),
    patch('r1', { ttl: 60 }, stranger),
    remove('r1', stranger),
  ]) {
    expect(result).toEqual({
      ok: false,
      refusal: {
        code: 'unknown_domain',
        message: 'Invalid domain: there is no domain "example.com" in this account',
      },
    });
  }
  expect(feedLength(batch)).toBe(changes);
});

test('rule 8: an unknown record is refused, and nothing changes', () => {
  const { patch, remove, batch } = scene('www A 192.0.2.1');
  const changes = feedLength(batch);
  for (const result of [patch('r9', { ttl: 60 }), remove('r9'), remove('')]) {
    expect(told(result)).toBe('unknown_record');
    expect(sentence(result)).toMatch(/^Invalid record: there is no record "(r9)?" in "example.com"$/);
  }
  expect(feedLength(batch)).toBe(changes);
});

test('rule 28: a removed record is gone, and unknown when removed again', () => {
  const { remove, batch } = scene('www A 192.0.2.1');
  expect(remove('r1')).toEqual({ ok: true, value: null, changed: true });
  expect(allRecords(batch).map(({ id }) => id)).toEqual(['ns']);
  expect(told(remove('r1'))).toBe('unknown_record');
});

test.each<[string, RecordPatch]>([
  ['nothing', {}],
  ['the type alone', { type: 'a' }],
  [
    'all of it as it is',
    { type: 'A', name: 'www.example.com', data: ' 192.0.2.1 ', ttl: '300', priority: -1 },
  ],
])('rule 28: a patch with %s changes nothing', (_, patched) => {
  const { patch, batch } = scene('www A 192.0.2.1');
  const changes = feedLength(batch);
  expect(told(patch('r1', patched))).toBe('kept r1');
  expect(feedLength(batch)).toBe(changes);
});

test('rule 28: a patch may move a record to another owner', () => {
  const { patch, batch } = scene('www A 192.0.2.1', 'api A 192.0.2.2');
  expect(told(patch('r1', { name: 'API', ttl: 60 }))).toBe('created r1');
  expect(batch.recordsAt(domainOf(batch), record('x', 'www A 192.0.2.1').owner).all).toEqual([]);
  expect(allRecords(batch)).toMatchObject([
    { id: 'ns' },
    { id: 'r1', name: 'API', owner: 'api', ttl: 60 },
    { id: 'r2' },
  ]);
  expect(domainOf(batch).recordCount).toBe(3);
});

test.each<[string, readonly string[], RecordPatch, string]>([
  ['a double of another', ['a A 192.0.2.1', 'a A 192.0.2.2'], { data: '192.0.2.2' }, 'record_exists'],
  [
    'a double with another TTL',
    ['a A 192.0.2.1', 'a A 192.0.2.2'],
    { data: '192.0.2.2', ttl: 9 },
    'record_exists',
  ],
  ['a double by its name', ['a A 192.0.2.1', 'b A 192.0.2.1'], { name: 'B' }, 'record_exists'],
  ['a double by its priority', ['a MX 10 m.test', 'a MX 20 M.test'], { priority: 20 }, 'record_exists'],
  ['a CNAME beside data', ['a CNAME m.test', 'b A 192.0.2.1'], { name: 'b' }, 'record_conflict'],
  ['a CNAME at the apex', ['a CNAME m.test'], { name: '@' }, 'record_conflict'],
  ['data beside a CNAME', ['a A 192.0.2.1', 'b CNAME m.test'], { name: 'b' }, 'record_conflict'],
  ['malformed data', ['a A 192.0.2.1'], { data: 'x' }, 'invalid_request'],
  ['another type', ['a A 192.0.2.1'], { type: 'AAAA' }, 'invalid_request'],
])('rule 28: a patch that would make %s is refused', (_, standing, patched, code) => {
  const { patch, batch } = scene(...standing);
  const changes = feedLength(batch);
  const result = patch('r1', patched);
  expect(told(result)).toBe(code);
  if (code === 'record_exists') expect(sentence(result)).toContain('record r2');
  expect(feedLength(batch)).toBe(changes);
});

test('rule 28: a CNAME may be given another target', () => {
  const { patch } = scene('a CNAME m.test');
  expect(patch('r1', { data: 'n.test' })).toMatchObject({ ok: true, value: { id: 'r1', data: 'n.test' } });
});

test('a full domain accepts no more records', () => {
  const result = decideAtOnce(
    { kind: 'createRecord', author, domain: zone, record: record('x', 'a A 192.0.2.1') },
    sceneOfCount(MAX_RECORDS_PER_DOMAIN),
  );
  expect(sentence(result)).toBe('Domain "example.com" has 10000000 records, the maximum is 10000000');
});

type Step =
  | { do: 'create'; text: string; ttl: number }
  | { do: 'remove'; at: number }
  | { do: 'patch'; at: number; patch: RecordPatch };

const owners = fc.constantFrom('@', 'a', 'A', '*.a', 'b.example.com.');
const contents = fc.constantFrom(
  ...[
    'A 192.0.2.1',
    'A 192.0.2.2',
    'AAAA ::1',
    'CNAME x.test',
    'CNAME X.test.',
    'CNAME y.test',
    'DNAME x.test',
  ],
  ...['DNAME y.test', 'TXT "a"', 'TXT a', 'MX 10 m.test', 'MX m.test', 'NS ns.test'],
);
const ttls = fc.constantFrom(60, 300);
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    text: fc.tuple(owners, contents).map((parts) => parts.join(' ')),
    ttl: ttls,
  }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(9) }),
  fc.record({
    do: fc.constant('patch' as const),
    at: fc.nat(9),
    patch: fc.record(
      {
        name: owners,
        ttl: ttls,
        priority: fc.constantFrom(0, 10),
        data: fc.constantFrom('192.0.2.2', 'x.test'),
      },
      { requiredKeys: [] },
    ),
  }),
);

test('any sequence of writes leaves no duplicates and no CNAME beside other data, and every create can be repeated', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 25 }), (sequence) => {
      const { create, patch, remove, batch } = scene();
      for (const step of sequence) {
        const ids = allRecords(batch).map(({ id }) => id);
        if (step.do === 'remove') remove(ids[step.at % ids.length] ?? '');
        else if (step.do === 'patch') patch(ids[step.at % ids.length] ?? '', step.patch);
        else {
          const first = create(step.text, { ttl: step.ttl });
          if (first.ok) expect(create(step.text, { ttl: step.ttl })).toEqual({ ...first, changed: false });
        }
        expectConsistent(batch);
      }
    }),
    { numRuns: 300 },
  );
});

function expectConsistent(batch: PendingBatch): void {
  const all = allRecords(batch);
  expect(domainOf(batch).recordCount).toBe(all.length);
  const contents = all.map(
    (row) => `${row.owner} ${row.type} ${Buffer.from(row.rdata).toString('latin1').toLowerCase()}`,
  );
  expect(new Set(contents).size).toBe(all.length);
  for (const cname of all.filter(({ type }) => type === rrType.CNAME)) {
    expect(cname.owner).not.toBe('');
    expect(all.filter(({ owner }) => owner === cname.owner)).toEqual([cname]);
  }
  for (const dname of all.filter(({ type }) => type === rrType.DNAME)) {
    expect(all.filter(({ owner, type }) => owner === dname.owner && type === rrType.DNAME)).toEqual([dname]);
  }
}
