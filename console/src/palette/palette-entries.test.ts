import { expect, test } from 'vitest';
import type { ListedDomain } from '../domains/use-domains.ts';
import { domainEntry, findPlaces, firstDomains, MAX_DOMAINS, recordEntry } from './palette-entries.ts';

function listed(domain: string, shown = domain): ListedDomain {
  return { domain, shown, date_created: '', dns_sec: 'disabled' };
}

function found(name: string, type: string, data: string, priority = 0) {
  return { id: '1', domain: 'example.com', type, name, data, ttl: 300, priority } as Parameters<
    typeof recordEntry
  >[0];
}

test('findPlaces() finds labels that have all words, in any order and case', () => {
  const places = ['Keys', 'New key', 'My account'].map((label) => ({ key: label, href: '/', label }));
  const labelsOf = (search: string) => findPlaces(places, search).map(({ label }) => label);
  expect(labelsOf('KEY')).toEqual(['Keys', 'New key']);
  expect(labelsOf('key new ')).toEqual(['New key']);
  expect(labelsOf('')).toHaveLength(3);
  expect(labelsOf('trail')).toEqual([]);
});

test('firstDomains() begins with the domain of that name, then with those that begin with it', () => {
  const domains = ['a.example.com', 'example.com.au', 'example.com'].map((name) => listed(name));
  expect(firstDomains(domains, ' Example.com').map(({ domain }) => domain)).toEqual([
    'example.com',
    'example.com.au',
    'a.example.com',
  ]);
  const many = Array.from({ length: 20 }, (_, index) => listed(`d${index}.example`));
  expect(firstDomains(many, '')).toEqual(many.slice(0, MAX_DOMAINS));
});

test('a domain leads to its records, and shows both forms of its name', () => {
  expect(domainEntry(listed('xn--mnchen-3ya.example', 'münchen.example'))).toEqual({
    key: 'xn--mnchen-3ya.example',
    href: '/d/xn--mnchen-3ya.example/records',
    label: 'münchen.example',
    detail: 'xn--mnchen-3ya.example',
  });
});

test.each([
  ['a name', found('www', 'A', '192.0.2.1'), 'www.example.com', 'type=A&name=www&data=192.0.2.1'],
  ['the apex', found('', 'NS', 'ns1.a.test'), 'example.com', 'type=NS&name=%40&data=ns1.a.test'],
  ['priority', found('', 'MX', 'b.test', 10), 'example.com', 'type=MX&name=%40&data=10+b.test'],
  ['long data', found('k', 'TXT', '😀'.repeat(99)), 'k.example.com', `data=${'%F0%9F%98%80'.repeat(64)}`],
])('recordEntry() leads to the record by filters: %s', (_, record, label, filter) => {
  const entry = recordEntry(record);
  expect(entry.label).toBe(label);
  expect(entry.href).toMatch(/^\/d\/example\.com\/records\?/);
  expect(entry.href.endsWith(filter)).toBe(true);
});
