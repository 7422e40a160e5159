import { expect, test } from 'vitest';
import { batchUpdate, createDomainBody, createRecordBody, updateRecordBody } from './request-bodies.ts';

const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };

test('a body keeps its known members; null, unknown and dangerous members are dropped', () => {
  const body: unknown = JSON.parse(
    '{"type":"A","name":"www","data":"192.0.2.1","ttl":null,"id":7,"__proto__":{"ttl":1},"constructor":2}',
  );
  const checked = createRecordBody.check(body);
  expect(checked).toEqual({ ok: true, value: { type: 'A', name: 'www', data: '192.0.2.1' } });
  expect(checked.ok && 'ttl' in checked.value).toBe(false);
});

test.each([
  [null, undefined, 'The request body must be a JSON object'],
  [[record], undefined, 'The request body must be a JSON object'],
  ['x', undefined, 'The request body must be a JSON object'],
  [{ ...record, type: undefined }, 'type', 'type is required'],
  [{ ...record, name: undefined }, 'name', 'name is required'],
  [{ ...record, data: null }, 'data', 'data is required'],
  [{ ...record, type: 1 }, 'type', 'type must be a string'],
  [{ ...record, ttl: true }, 'ttl', 'ttl must be an integer'],
  [{ ...record, ttl: 1.5 }, 'ttl', 'ttl must be an integer'],
  [{ ...record, ttl: [300] }, 'ttl', 'ttl must be an integer'],
  [JSON.parse('{"type":"A","name":"","data":"","ttl":1e400}'), 'ttl', 'ttl must be an integer'],
  [{ ...record, priority: {} }, 'priority', 'priority must be an integer'],
])('%j is refused with one sentence', (body, field, message) => {
  const refusal = { code: 'invalid_request', message, ...(field === undefined ? {} : { field }) };
  expect(createRecordBody.check(body)).toEqual({ ok: false, refusal });
});

test('all invalid members are reported, in the order of the schema', () => {
  const checked = createRecordBody.check({ ttl: [], data: 5 });
  expect(checked).toEqual({
    ok: false,
    refusal: {
      ...{ code: 'invalid_request', field: 'type', message: 'type is required' },
      besides: [
        { code: 'invalid_request', field: 'name', message: 'name is required' },
        { code: 'invalid_request', field: 'data', message: 'data must be a string' },
        { code: 'invalid_request', field: 'ttl', message: 'ttl must be an integer' },
      ],
    },
  });
});

test('any number of invalid members is reported', () => {
  const checked = batchUpdate.check({ type: 1, name: 2, data: 3, ttl: [], priority: [], id: 4 });
  const { besides = [], ...first } = checked.ok ? {} : checked.refusal;
  const fields = [first, ...besides].map((refusal) => 'field' in refusal && refusal.field);
  expect(fields).toEqual(['type', 'name', 'data', 'ttl', 'priority', 'id']);
});

test('an unknown word is refused with the list of allowed words', () => {
  expect(createDomainBody.check({ domain: 'example.com', dns_sec: 'on' })).toMatchObject({
    refusal: { field: 'dns_sec', message: 'dns_sec must be "enabled" or "disabled"' },
  });
});

test('a patch may be empty, and accepts integers as strings', () => {
  expect(updateRecordBody.check({})).toEqual({ ok: true, value: {} });
  expect(updateRecordBody.check({ ttl: '60', name: null })).toEqual({
    ok: true,
    value: { ttl: '60' },
  });
});
