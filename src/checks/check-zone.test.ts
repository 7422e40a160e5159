import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import { check, zone, zoneOf } from './checked-zone.test-support.ts';
import { checkZone, MAX_WARNINGS } from './check-zone.ts';
import { newKeyPair } from '../dnssec/key-pair.test-support.ts';

const web = 'www A 192.0.2.1';

test.each<[what: string, lines: string[], found: string[]]>([
  ['a usual zone', [web, '@ MX 10 www.example.com', '@ TXT "v=spf1 mx -all"', 'b CNAME www.example.com'], []],
  ['targets elsewhere', ['@ MX 10 mx.example.net', 'a CNAME a.example.net', '@ NS ns.example.net'], []],
  ['null MX and SRV', ['@ MX 0 .', '_sip._tcp SRV 0 0 0 .'], []],
  ['a CNAME to nothing', ['a CNAME b.example.com'], ['warning target_missing a']],
  [
    'a CNAME to an empty non-terminal',
    ['a CNAME b.example.com', 'c.b A 192.0.2.1'],
    ['warning target_missing a'],
  ],
  ['a CNAME to what a wildcard answers', ['a CNAME b.x.example.com', '*.x A 192.0.2.1'], []],
  [
    'a CNAME to a name that exists beside a wildcard',
    ['a CNAME b.x.example.com', '*.x A 192.0.2.1', 'c.b.x A 192.0.2.1'],
    ['warning target_missing a'],
  ],
  ['a CNAME below a DNAME', ['a CNAME b.d.example.com', 'd DNAME example.net'], []],
  ['MX without an address', ['@ MX 10 mx.example.com', 'mx TXT x'], ['error target_missing ']],
  [
    'MX to an alias',
    ['@ MX 10 mx.example.com', 'mx CNAME www.example.com', web],
    ['warning target_is_alias '],
  ],
  ['NS to an alias', ['@ NS n.example.com', 'n CNAME www.example.com', web], ['warning target_is_alias ']],
  [
    'CNAMEs in a row',
    ['a CNAME b.example.com', 'b CNAME www.example.com', web],
    ['notice target_is_alias a'],
  ],
  ['a CNAME that names itself', ['a CNAME a.example.com'], ['error alias_loop a']],
  [
    'CNAMEs in a circle, and one that leads there',
    ['a CNAME b.example.com', 'b CNAME C.example.com', 'c CNAME b.example.com'],
    ['error alias_loop a', 'error alias_loop b', 'error alias_loop c'],
  ],
  ['a wildcard CNAME to a name that is not there', ['* CNAME www.example.com'], ['error alias_loop *']],
  ['a wildcard CNAME to a name that is there', ['* CNAME www.example.com', web], []],
  ['a CNAME without a domain', ['a CNAME www', web], ['warning target_without_domain a']],
  ['MX without a domain', ['@ MX 10 mail.'], ['warning target_without_domain ']],
  ['MX to an address', ['@ MX 10 192.0.2.1'], ['error target_is_address ']],
  ['MX to the domain twice', ['@ MX 10 mx.example.com.example.com.'], ['warning target_ends_in_zone_twice ']],
  [
    'a name that ends in the domain twice',
    ['www.example.com.example.com. A 192.0.2.1'],
    ['warning name_ends_in_zone_twice www.example.com.example.com'],
  ],
  ['missing glue', ['sub NS ns.sub.example.com'], ['error glue_missing sub']],
  ['glue', ['sub NS ns.sub.example.com', 'ns.sub AAAA 2001:db8::1'], []],
  [
    'glue beside the cut',
    ['sub NS ns.other.example.com', 'other NS ns.example.net', 'ns.other A 192.0.2.1'],
    [],
  ],
  [
    'records below and at a cut',
    ['sub NS ns.example.net', `sub DS 1 13 2 ${'AB'.repeat(32)}`, 'sub TXT x', 'www.sub A 192.0.2.1'],
    ['warning hidden_below_delegation sub', 'warning hidden_below_delegation www.sub'],
  ],
  ['records below a DNAME', ['d DNAME example.net', 'a.d A 192.0.2.1'], ['warning hidden_below_dname a.d']],
  ['TTLs that differ', ['a 60 A 192.0.2.1', 'a 90 A 192.0.2.2', 'a 5 TXT x'], ['notice ttls_differ a']],
  [
    'private addresses',
    [
      'a A 10.1.1.1',
      'b A 172.31.0.1',
      'c A 172.32.0.1',
      'd AAAA fd00::1',
      'e AAAA ::1',
      'f A 100.64.0.1',
      'g A 0.0.0.0',
    ],
    ['a', 'b', 'd', 'e', 'f'].map((name) => `notice private_address ${name}`),
  ],
  ['a backslash before a semicolon', ['a TXT "v=x\\; y"'], ['warning escaped_semicolon a']],
  ['two SPF records', ['@ TXT "v=spf1 -all"', '@ TXT "v=spf1 mx -all"', '@ TXT spf'], ['error spf_several ']],
  ['an SPF record with a slip', ['@ TXT "v=spf1 ipv4:192.0.2.1 -all"'], ['error spf_malformed ']],
  [
    'SPF with ten look-ups',
    [
      `@ TXT "v=spf1 a mx/24 ${'include:e.net '.repeat(7)}redirect=e.net exp=x"`,
      '@ A 192.0.2.1',
      '@ MX 1 m.example.net',
    ],
    [],
  ],
  [
    'SPF with eleven look-ups, some of them by what it includes',
    [
      `@ TXT "v=spf1 include:s.example.com ip4:192.0.2.0/24 ip6:2001:db8::/32 ?all"`,
      `s TXT "v=spf1${' exists:e.net'.repeat(10)}"`,
    ],
    ['error spf_lookups '],
  ],
  ['an SPF record that includes itself', ['@ TXT "v=spf1 include:example.com"'], ['error spf_lookups ']],
  [
    'DMARC',
    ['_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@example.com"', '_dmarc.sub TXT v=DMARC1;p=reject'],
    [],
  ],
  ['DMARC without policy', ['_dmarc TXT "v=DMARC1; sp=none"'], ['error dmarc_without_policy _dmarc']],
  ['no DMARC at _dmarc', ['_dmarc TXT "p=none"'], ['error dmarc_without_policy _dmarc']],
  [
    'two DMARC records',
    ['_dmarc TXT v=DMARC1;p=none', '_dmarc TXT v=DMARC1;p=reject'],
    ['error dmarc_several _dmarc'],
  ],
])('%s', (_, lines, found) => {
  expect(check(...lines)).toEqual(found);
});

function dkim(bits: number): string {
  return newKeyPair('rsa', { modulusLength: bits })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
}

const key = dkim(2048);

test.each<[what: string, text: string, found: string[]]>([
  ['a whole key', `v=DKIM1; k=rsa; p=${key}`, []],
  ['a key without version', `p=${key}`, []],
  ['a revoked key', 'v=DKIM1; p=', []],
  ['an Ed25519 key', 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', []],
  [
    'a short Ed25519 key',
    'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg==',
    ['error dkim_key_broken k._domainkey'],
  ],
  ['a key cut off', `v=DKIM1; p=${key.slice(0, 200)}`, ['error dkim_key_broken k._domainkey']],
  ['a key that is no base64', `v=DKIM1; p=${key.replace('M', '*')}`, ['error dkim_key_broken k._domainkey']],
  [
    'a key with a second one behind it',
    `v=DKIM1; p=${key.replace(/=+$/, '')}AAAA`,
    ['error dkim_key_broken k._domainkey'],
  ],
  ['no key', 'v=DKIM1; k=rsa', ['error dkim_key_broken k._domainkey']],
  ['neither key nor version', 'k=rsa; t=s', ['error dkim_key_broken k._domainkey']],
  ['a key of 512 bits', `v=DKIM1; p=${dkim(512)}`, ['warning dkim_key_short k._domainkey']],
  ['a key of 1024 bits', `v=DKIM1; p=${dkim(1024)}`, []],
  ['something else', 'o=~', []],
])('DKIM: %s', (_, text, found) => {
  expect(check(`k._domainkey TXT "${text}"`)).toEqual(found);
});

test('the worst comes first, and there is an end', () => {
  const many = Array.from({ length: MAX_WARNINGS + 100 }, (_, i) => `h${i} A 10.0.0.1`);
  const steps = checkZone(
    zone,
    zoneOf([...many, 'z CNAME nothing.example.com', '@ MX 10 nothing.example.com']),
  );
  const found = finishSteps(steps);
  expect(found).toHaveLength(MAX_WARNINGS);
  expect(found.slice(0, 3).map(({ code }) => code)).toEqual([
    'target_missing',
    'target_missing',
    'private_address',
  ]);
});

test.each([
  ['A', (at: number) => `one A 192.0.${at >> 8}.${at & 255}`],
  ['TXT', (at: number) => `one._domainkey TXT "v=DKIM1; p=${at}"`],
])('others have their turn while one name with very many %s records is checked', (_, lineOf) => {
  const records = zoneOf(Array.from({ length: 20_000 }, (_, at) => lineOf(at)));
  let pauses = 0;
  for (const steps = checkZone(zone, records); steps.next().done !== true;) pauses++;
  // 20 while the records are put in order, and one for each 4,000 looks: four at a record at least.
  expect(pauses).toBeGreaterThanOrEqual(20 + (4 * 20_000) / 4000);
});
