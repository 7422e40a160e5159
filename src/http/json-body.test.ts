import { expect, test } from 'vitest';
import { createRecordBody } from '../contract/request-bodies.ts';
import { readBody } from './json-body.ts';

const record = '{"type":"TXT","name":"","data":"é😀","ttl":300}';

test.each([
  ['plain', Buffer.from(record)],
  ['with a byte order mark', Buffer.from(`\ufeff${record}`)],
  ['with white space', Buffer.from(` \r\n\t${record}\n`)],
  ['with escapes', Buffer.from(record.replace('é😀', '\\u00e9\\ud83d\\ude00'))],
  ['with a member twice', Buffer.from(`{"data":"x",${record.slice(1)}`)],
])('a body %s is read', (_, raw) => {
  expect(readBody(raw, createRecordBody)).toEqual({
    ok: true,
    value: { type: 'TXT', name: '', data: 'é😀', ttl: 300 },
  });
});

test.each([
  ['no bytes', undefined, 'is empty'],
  ['zero bytes', Buffer.alloc(0), 'is empty'],
  ['a form', Buffer.from('type=A&name=www'), 'is not valid JSON'],
  ['half an object', Buffer.from('{"type":'), 'is not valid JSON'],
  ['two objects', Buffer.from('{}{}'), 'is not valid JSON'],
  ['a list', Buffer.from('[]'), 'must be a JSON object'],
  ['null', Buffer.from('null'), 'must be a JSON object'],
  ['a deep nest', Buffer.from('['.repeat(200_000)), 'more than 32 levels'],
  ['a small deep nest', Buffer.from('['.repeat(60_000)), 'is not valid JSON'],
  ['a deep closed nest', Buffer.from(`${'['.repeat(500_000)}${']'.repeat(500_000)}`), 'more than 32 levels'],
  ['Latin-1', Buffer.from(record.replace('😀', ''), 'latin1'), 'is not valid UTF-8'],
  ['an overlong form', Buffer.from([0x7b, 0xc0, 0x80, 0x7d]), 'is not valid UTF-8'],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'is not valid UTF-8'],
  ['half a pair', Buffer.from(record.replace('é😀', '\\ud83d')), 'half a surrogate pair'],
])('%s is refused', (_, raw, problem) => {
  const body = readBody(raw, createRecordBody);
  expect(body).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  expect(!body.ok && body.refusal.message).toContain(problem);
});
