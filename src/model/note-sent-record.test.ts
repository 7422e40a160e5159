import { expect, test } from 'vitest';
import type { ZoneName } from './domain.ts';
import { ImportAdjustments } from './import-adjustments.ts';
import { noteSentRecord } from './note-sent-record.ts';
import { parseRecord, type RecordInput } from './parse-record.ts';

const rules = { txtLimitBytes: 4096, defaultTtlSeconds: 77 };

function note(input: Partial<RecordInput>) {
  const sent = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300, ...input };
  const record = parseRecord(sent, 'example.com' as ZoneName, rules);
  if (!record.ok) throw new Error(record.refusal.message);
  const adjustments = new ImportAdjustments();
  noteSentRecord(adjustments, 3, sent, record.value);
  return adjustments.list();
}

test.each<[Partial<RecordInput>, string[]]>([
  [{}, []],
  [{ ttl: undefined }, ['default_ttl']],
  [{ ttl: null }, ['default_ttl']],
  [{ ttl: 0 }, ['default_ttl']],
  [{ ttl: '0' }, ['default_ttl']],
  [{ ttl: '60' }, []],
  [{ name: 'WWW' }, ['owner_case']],
  [{ name: 'MÜNCHEN' }, ['owner_case']],
  [{ name: 'münchen' }, []],
  [{ name: 'www.' }, ['final_dot']],
  [{ name: 'a.b. ' }, ['final_dot']],
  [{ name: 'a\\.' }, []],
  [{ name: 'www.example.com.' }, []],
  [{ name: 'example.com.' }, []],
  [{ name: '' }, []],
  [{ type: 'MX', data: 'mail.example.com' }, ['default_priority']],
  [{ type: 'MX', data: 'mail.example.com', priority: -1 }, ['default_priority']],
  [{ type: 'MX', data: 'mail.example.com', priority: 0 }, []],
  [{ type: 'MX', data: ' 10 mail.example.com' }, []],
  [{ type: 'SRV', data: '5 5060 sip.example.com' }, ['default_priority']],
  [{ type: 'MX', data: '\\# 3 000A00' }, []],
  [{ type: 'TXT', data: 'a b' }, []],
  [{ type: 'TXT', data: '"a" "b"' }, ['text_joined']],
  [{ type: 'TXT', data: '"a" ""' }, ['text_joined']],
  [{ type: 'TXT', data: '""' }, []],
  [{ type: 'TXT', data: 'x'.repeat(255) }, []],
  [{ type: 'TXT', data: 'x'.repeat(256) }, ['text_cut']],
  [{ type: 'TXT', data: `"${'ü'.repeat(128)}"` }, ['text_cut']],
  [{ type: 'TXT', data: `"${'x'.repeat(255)}" "y"` }, []],
  [{ type: 'TXT', data: `"${'x'.repeat(255)}" "${'y'.repeat(256)}"` }, ['text_joined']],
])('noteSentRecord() reports what is stored otherwise than %j says', (input, codes) => {
  expect(note(input).map(({ code }) => code)).toEqual(codes);
});

test('an example is the record as it was sent, with its place in the list', () => {
  expect(note({ type: 'mx', name: 'WWW', data: 'Mail', priority: 5 })).toEqual([
    {
      code: 'owner_case',
      count: 1,
      message: expect.any(String) as string,
      examples: [{ index: 3, record: 'WWW 300 IN MX 5 Mail' }],
    },
  ]);
});
