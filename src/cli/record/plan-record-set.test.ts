import { expect, test } from 'vitest';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { planRecordSet } from './plan-record-set.ts';

const a = (id: string, data: string, ttl = 300): RecordJson => {
  return { id, type: 'A', name: 'www', data, priority: -1, ttl };
};
const wanted = { name: 'www', type: 'A', ttl: undefined, defaultTtl: undefined };

test('records that are wanted keep their ids, others are deleted, and missing ones get the TTL of the set', () => {
  const existing = [a('1', '192.0.2.1'), a('2', '192.0.2.2')];
  expect(planRecordSet(existing, { ...wanted, data: ['192.0.2.2', '192.0.2.3'] })).toEqual({
    delete: ['1'],
    update: [],
    create: [{ name: 'www', type: 'A', data: '192.0.2.3', ttl: 300 }],
  });
});

test('a set that is as wanted needs no change', () => {
  expect(planRecordSet([a('1', '192.0.2.1')], { ...wanted, data: ['192.0.2.1'], ttl: 300 })).toBeUndefined();
  expect(
    planRecordSet([a('1', '192.0.2.1')], { ...wanted, data: ['192.0.2.1'], defaultTtl: 60 }),
  ).toBeUndefined();
});

test('another TTL is given to the records that stay', () => {
  const changes = planRecordSet([a('1', '192.0.2.1')], { ...wanted, data: ['192.0.2.1'], ttl: 60 });
  expect(changes).toEqual({ delete: [], update: [{ id: '1', ttl: 60 }], create: [] });
});

test.each([
  ['TXT', -1, '"v=spf1 -all"', 'v=spf1 -all'],
  ['TXT', -1, '"say \\"a\\" \\ b"', 'say "a" \\ b'],
  ['TXT', -1, '"ab"', '"a" "b"'],
  ['MX', 10, 'mail.example.com', '10 Mail.example.com.'],
  ['SRV', 0, '5 443 www.example.com', '0 5 443 www.example.com'],
])('%s data can be written as it is in a zone file', (type, priority, data, text) => {
  const record = { id: '1', type, name: '', data, priority, ttl: 60 };
  expect(planRecordSet([record], { ...wanted, name: '@', type, data: [text] })).toBeUndefined();
});

test.each([
  ['TXT', '"Abc"', 'abc'],
  [
    'CAA',
    '0 issue "ca.example; accounturi=https://ca.example/A"',
    '0 issue "ca.example; accounturi=https://ca.example/a"',
  ],
])('the case of text in %s matters', (type, data, text) => {
  const record = { id: '1', type, name: '', data, priority: -1, ttl: 60 };
  expect(planRecordSet([record], { ...wanted, type, data: [text] })?.create).toHaveLength(1);
});

test('the default TTL is for sets that do not exist yet', () => {
  expect(planRecordSet([], { ...wanted, data: ['192.0.2.1'], defaultTtl: 60 })?.create).toEqual([
    { name: 'www', type: 'A', data: '192.0.2.1', ttl: 60 },
  ]);
});
