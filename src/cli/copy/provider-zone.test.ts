import { expect, test } from 'vitest';
import { linesIn } from './json-export.test-support.ts';
import { readTextData } from '../record/read-text-data.ts';
import { buildZone } from './provider-zone.ts';

test.each([
  [
    'a long DKIM value is cut into strings',
    { type: 'TXT', data: 'x'.repeat(300) },
    `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`,
  ],
  ['a backslash in TXT is itself', { type: 'TXT', data: '"a\\b"' }, '"a\\\\b"'],
  ['text beyond ASCII is UTF-8', { type: 'TXT', data: 'é' }, '"\\195\\169"'],
  ['U-labels become A-labels', { type: 'CNAME', data: 'www.bücher.example' }, 'www.xn--bcher-kva.example.'],
  [
    'an escape beside a U-label is legal',
    { type: 'CNAME', data: 'a\\.b.ö.example' },
    'a\\.b.xn--nda.example.',
  ],
  [
    'quoted text has no U-labels',
    { type: 'CAA', data: '0 issue "ö.example; x=1"' },
    '0 issue "\\195\\182.example; x=1"',
  ],
])('%s', (_, record, data) => {
  const zone = buildZone('example.com', [{ name: 'x', ttl: 60, ...record }]);
  expect([linesIn(zone.text), zone.skipped]).toEqual([[`x 60 IN ${record.type} ${data}`], []]);
});

test.each([
  [{ name: '@', type: 'ALIAS', ttl: 60, data: 'x.example' }, 'the record type "ALIAS" is unknown'],
  [{ name: 'a..b', type: 'A', ttl: 60, data: '192.0.2.1' }, 'the name "a..b" has an empty label'],
  [{ name: 'a', type: 'A', ttl: Number.NaN, data: '192.0.2.1' }, 'the TTL "NaN" is not a number of seconds'],
])('a record that cannot be converted is skipped with the reason: %j', (record, reason) => {
  const zone = buildZone('example.com', [record]);
  expect(zone.skipped).toMatchObject([{ reason }]);
  expect(linesIn(zone.text)).toEqual([]);
});

test.each([
  ['bare', 'bare'],
  ['"quoted"', 'quoted'],
  ['"a" "b"', 'ab'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['"ends in \\"', 'ends in \\'],
  ['', ''],
  ['"', '"'],
])('the text of TXT data %s is %s', (data, text) => {
  expect(readTextData(data)).toBe(text);
});
