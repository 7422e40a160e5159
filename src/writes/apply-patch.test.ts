import { expect, test } from 'vitest';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { applyPatch } from './apply-patch.ts';
import { record, rules, zone } from './decide-scene.test-support.ts';
import type { RecordInput } from '../model/parse-record.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import { problemsOf } from '../model/refuse-problems.ts';

function patched(text: string, more: Partial<RecordInput>, patch: RecordPatch, ruled = rules) {
  const result = applyPatch(record('r1', text, more), patch, zone, ruled);
  if (!result.ok) return result.refusal;
  const { type, rdata, ...shown } = result.value;
  return { ...shown, wire: formatRdata(type, rdata) };
}

test('rule 28: an empty patch leaves the record as it is', () => {
  const before = record('r1', 'WWW A 192.0.2.1', { priority: 7 });
  expect(applyPatch(before, {}, zone, rules)).toEqual({ ok: true, value: before });
});

test.each<[string, Partial<RecordInput>, RecordPatch, object]>([
  ['www A 192.0.2.1', {}, { name: 'API.example.com.' }, { name: 'API', owner: 'api', data: '192.0.2.1' }],
  ['www A 192.0.2.1', {}, { name: '' }, { name: '', owner: '' }],
  [
    'www A 192.0.2.1',
    {},
    { data: ' 192.0.2.2 ' },
    { data: '192.0.2.2', wire: '192.0.2.2', priority: -1, ttl: 300 },
  ],
  ['www A 192.0.2.1', {}, { ttl: '60' }, { ttl: 60 }],
  ['www A 192.0.2.1', {}, { priority: 5 }, { priority: 5 }],
  ['www A 192.0.2.1', { priority: 5 }, { priority: -1 }, { priority: -1 }],
  ['www A 192.0.2.1', { priority: 5 }, { data: '192.0.2.2' }, { priority: 5 }],
  ['www A 192.0.2.1', {}, { type: 'type1', ttl: 60 }, { ttl: 60 }],
  ['x TXT "a"', {}, { data: 'b c' }, { data: '"b c"', wire: '"b c"' }],
  ['x MX 10 m.test', {}, { data: 'n.test' }, { priority: 10, data: 'n.test', wire: '10 n.test.' }],
  ['x MX 10 m.test', {}, { data: '20 n.test' }, { priority: 20, data: 'n.test', wire: '20 n.test.' }],
  ['x MX 10 m.test', {}, { data: '\\# 5 0014016100' }, { priority: 20, data: 'a.', wire: '20 a.' }],
  ['x MX 10 m.test', {}, { priority: 20 }, { priority: 20, data: 'm.test', wire: '20 m.test.' }],
  ['x MX 10 m.test', {}, { priority: 0 }, { priority: 0, wire: '0 m.test.' }],
  ['x MX 10 m.test', {}, { priority: -1 }, { priority: 10, wire: '10 m.test.' }],
  ['x MX 10 m.test', {}, { priority: -1, data: '20 n.test' }, { priority: 20, wire: '20 n.test.' }],
  ['x MX 10 m.test', {}, { priority: '30', data: 'n.test' }, { priority: 30, wire: '30 n.test.' }],
  [
    'x SRV 1 2 3 s.test',
    {},
    { data: '4 5 t.test' },
    { priority: 1, data: '4 5 t.test', wire: '1 4 5 t.test.' },
  ],
  ['x SRV 1 2 3 s.test', {}, { data: '9 4 5 t.test' }, { priority: 9, wire: '9 4 5 t.test.' }],
])('rule 28: %s with %j, patched with %j', (text, more, patch, expected) => {
  expect(patched(text, more, patch)).toMatchObject(expected);
});

test.each<[string, RecordPatch, string, string]>([
  [
    'www A 192.0.2.1',
    { type: 'AAAA' },
    'type',
    'The type of a record cannot be changed; this record has type A',
  ],
  ['www A 192.0.2.1', { type: 'nonsense' }, 'type', 'cannot be changed'],
  ['www A 192.0.2.1', { name: 'a..b' }, 'name', 'empty label'],
  ['www A 192.0.2.1', { ttl: 0 }, 'ttl', 'Record TTL 0'],
  ['www A 192.0.2.1', { data: '' }, 'data', 'Record data is empty'],
  ['www A 192.0.2.1', { data: 'x' }, 'data', 'A data is malformed'],
  ['www A 192.0.2.1', { priority: 'x' }, 'priority', 'Priority "x"'],
  ['x MX 10 m.test', { priority: 70_000 }, 'priority', 'Priority 70000'],
  ['x MX 10 m.test', { priority: 20, data: '30 m.test' }, 'data', 'begins with another priority'],
])('rule 28: %s patched with %j is refused', (text, patch, field, sentence) => {
  expect(patched(text, {}, patch)).toMatchObject({
    code: 'invalid_request',
    field,
    message: expect.stringContaining(sentence) as string,
  });
});

test('rule 40: all members at fault are reported', () => {
  const patch: RecordPatch = { type: 'A', name: '..', data: ' ', ttl: -1, priority: 'high' };
  const result = applyPatch(record('r1', 'x MX 10 m.test'), patch, zone, rules);
  const fields = result.ok ? [] : problemsOf(result.refusal, {}).map(({ field }) => field);
  expect(fields).toEqual(['type', 'name', 'ttl', 'priority', 'data']);
});

test('rule 28: members that are not sent are not checked by rules that have become stricter', () => {
  const stricter = { ...rules, txtLimitBytes: 2 };
  expect(patched('x TXT "abc"', {}, { ttl: 60, priority: 3 }, stricter)).toMatchObject({
    data: '"abc"',
    ttl: 60,
    priority: 3,
  });
  expect(patched('x TXT "abc"', {}, { data: '"abcd"' }, stricter)).toMatchObject({ code: 'invalid_request' });
});

test('rule 22: a patched TTL of 0 takes the default if there is one', () => {
  expect(patched('www A 192.0.2.1', {}, { ttl: 0 }, { ...rules, defaultTtlSeconds: 120 })).toMatchObject({
    ttl: 120,
  });
});
