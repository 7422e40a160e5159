import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import { formatDomainName } from '../../dns/name.ts';
import { getZoneName } from '../names/zone-names.ts';
import { questionsFor, recordsOfService } from './zone-questions.ts';

const zone = getZoneName('example.com');

function ask(records: { name: string; type: string; data?: string }[], moreNames: string[] = []) {
  const listed = records.map((record) => ({ id: '', data: '', priority: -1, ttl: 1, ...record }));
  const questions = questionsFor(zone, recordsOfService(zone, listed), moreNames);
  return new Map(questions.map(({ name, types }) => [formatDomainName(name), types]));
}

test('listed records are queried with their own types and the usual ones', () => {
  const questions = ask([
    { name: 'odd', type: 'LOC' },
    { name: 'odd', type: 'TYPE65280' },
    { name: 'www.example.com.example.com', type: 'A' },
  ]);
  expect(questions.get('odd.example.com.')).toEqual(expect.arrayContaining([rrType.LOC, 65280, rrType.A]));
  expect(questions.has('www.example.com.example.com.')).toBe(true);
});

test('one random name is queried at the apex and beside each wildcard, with the types of the wildcard', () => {
  const questions = ask([
    { name: '*.b', type: 'A' },
    { name: '*.b', type: 'LOC' },
  ]);
  const random = [...questions].filter(([name]) => name.startsWith('zw-'));
  expect(random.map(([name]) => name.replace(/^zw-\w+/, '?')).sort()).toEqual([
    '?.b.example.com.',
    '?.example.com.',
  ]);
  const beside = random.find(([name]) => name.endsWith('.b.example.com.'));
  expect(beside?.[1]).toContain(rrType.LOC);
});

test('common names and names from a file are queried once each', () => {
  const questions = ask([{ name: 'WWW', type: 'A' }], ['secret-door', 'www']);
  const names = [...questions.keys()];
  expect(names).toEqual(
    expect.arrayContaining(['secret-door.example.com.', '_dmarc.example.com.', 'www.example.com.']),
  );
  expect(names.filter((name) => name.toLowerCase() === 'www.example.com.')).toHaveLength(1);
});

test('SOA records and those of a signer are not queried', () => {
  const types = ask([
    { name: '', type: 'SOA' },
    { name: '', type: 'DNSKEY' },
    { name: '', type: 'CDS' },
    { name: '', type: 'CDNSKEY' },
    { name: '', type: 'TYPE65534' },
  ]).get('example.com.');
  expect(types).not.toContain(rrType.SOA);
  for (const type of [rrType.DNSKEY, rrType.CDS, rrType.CDNSKEY, 65534]) expect(types).not.toContain(type);
});

test('a delegation is queried for DS records, and its nameservers in the zone for their addresses', () => {
  const questions = ask([
    { name: '', type: 'NS', data: 'ns9.odd.example.com' },
    { name: 'sub', type: 'NS', data: 'ns.odd-host.sub.example.com' },
    { name: 'sub', type: 'NS', data: 'ns.example.net' },
  ]);
  expect(questions.get('sub.example.com.')).toContain(rrType.DS);
  expect(questions.get('ns.odd-host.sub.example.com.')).toEqual(
    expect.arrayContaining([rrType.A, rrType.AAAA]),
  );
  expect([...questions.keys()].filter((name) => name.includes('ns.example.net.'))).toEqual([]);
  expect(questions.has('ns9.odd.example.com.')).toBe(false);
  expect(questions.get('example.com.')).not.toContain(rrType.DS);
});
