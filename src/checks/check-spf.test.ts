import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import { checkZone } from './check-zone.ts';
import { check, checkExactly, warningsOf, zone, zoneOf } from './checked-zone.test-support.ts';
import { noFacts } from './zone-facts.ts';

const spf = (terms: string) => `@ TXT "v=spf1 ${terms}"`;

test.each<[what: string, lines: string[], found: string[]]>([
  ['addresses', [spf('ip4:192.0.2.1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ip6:::1 -all')], []],
  ['an address that is none', [spf('ip4:999.1.1.1 -all')], ['error spf_malformed ']],
  ['an address that is too short', [spf('ip4:192.0.2/24 -all')], ['error spf_malformed ']],
  ['a network that is none', [spf('ip4:192.0.2.0/33 -all')], ['error spf_malformed ']],
  ['an IPv6 address that is none', [spf('ip6:2001:db8::g -all')], ['error spf_malformed ']],
  ['a mechanism without address', [spf('ip4 -all')], ['error spf_malformed ']],
  ['+all', [spf('+all')], ['warning spf_allows_all ']],
  ['all', [spf('all')], ['warning spf_allows_all ']],
  ['?all', [spf('?all')], []],
  ['an include of nothing', [spf('include:s.example.com -all')], ['error spf_void_lookup ']],
  ['an include of another text', [spf('include:s.example.com -all'), 's TXT x'], ['error spf_void_lookup ']],
  ['an include of a wildcard', [spf('include:s.example.com -all'), '* TXT "v=spf1 -all"'], []],
  ['an include of an alias', [spf('include:s.example.com -all'), 's CNAME s.example.net'], []],
  ['an include below a delegation', [spf('include:s.d.example.com -all'), 'd NS ns.example.net'], []],
  ['a redirect to nothing', [spf('redirect=s.example.com')], ['error spf_void_lookup ']],
  ['a host that does not exist', [spf('a:h.example.com/24 -all')], ['warning spf_void_lookup ']],
  ['no address at the name', [spf('a -all')], ['warning spf_void_lookup ']],
  ['no MX at the name', [spf('mx -all')], ['warning spf_void_lookup ']],
  ['three hosts that do not exist', [spf('a a:h.example.com mx -all')], ['error spf_void_lookup ']],
  ['a macro', [spf('include:%{d}.example.com a:%{i}.example.com -all')], []],
])('SPF: %s', (_, lines, found) => {
  expect(check(...lines)).toEqual(found);
});

test('SPF: names of other domains that are hosted here are known', () => {
  const names = new Map([
    ['none.example.net', { types: new Set<number>(), hasSpf: false }],
    ['text.example.net', { types: new Set([rrType.TXT]), hasSpf: false }],
    ['spf.example.net', { types: new Set([rrType.TXT]), hasSpf: true }],
    ['host.example.net', { types: new Set([rrType.A, rrType.MX]), hasSpf: false }],
  ]);
  const find = (terms: string) =>
    checkExactly([spf(terms), '@ NS a.example.org', '@ NS b.example.org'], { ...noFacts, names });
  expect(find('include:None.example.net -all')).toEqual(['error spf_void_lookup ']);
  expect(find('include:text.example.net -all')).toEqual(['error spf_void_lookup ']);
  expect(find('a:none.example.net mx:text.example.net -all')).toEqual(['warning spf_void_lookup ']);
  expect(find('include:spf.example.net a:host.example.net mx:host.example.net a:unknown.net -all')).toEqual(
    [],
  );
});

test('SPF: looking for names of many labels is divided into more steps', () => {
  const stepsFor = (above: string): number => {
    const policies = Array.from({ length: 100 }, (_, at) => {
      const terms = Array.from({ length: 12 }, (_, term) => `a:${at}-${term}.${above}example.com`);
      return `p${at} TXT "v=spf1" " ${terms.join('" " ')}"`;
    });
    return Array.from(checkZone(zone, zoneOf(policies))).length;
  };
  expect(stepsFor('x.'.repeat(110))).toBeGreaterThan(5 * stepsFor('x.'));
});

test('SPF: the texts of a wildcard are read a few times only, however many names it answers for', () => {
  let reads = 0;
  const counted = zoneOf(Array.from({ length: 100 }, (_, at) => `*.w TXT "${at}"`)).map((record) => ({
    ...record,
    get rdata() {
      reads++;
      return record.rdata;
    },
  }));
  const includes = Array.from({ length: 100 }, (_, at) => `include:h${at}.w.example.com`).join(' ');
  const found = finishSteps(checkZone(zone, [...counted, ...zoneOf([spf(includes)])]));
  expect(found.map(({ code }) => code)).toContain('spf_void_lookup');
  expect(reads).toBeLessThan(10 * counted.length);
});

test.each([
  ['many terms', Array.from({ length: 90 }, (_, at) => `a:host-number-${at}.example.com`).join(' ')],
  ['a long term', 'x'.repeat(3000)],
])('SPF: the message about %s fits into a header', (_, terms) => {
  const messages = warningsOf([spf(terms)]).flatMap(({ message }) =>
    message.startsWith('The SPF record has') ? [message] : [],
  );
  expect(messages).toHaveLength(1);
  expect(messages[0].length).toBeLessThan(1000);
});

test.each<[what: string, line: string, found: string[]]>([
  ['a policy', '_mta-sts TXT "v=STSv1; id=20260101T000000;"', []],
  ['no id', '_mta-sts TXT "v=STSv1;"', ['error mta_sts_without_id _mta-sts']],
  [
    'an id that is too long',
    `_mta-sts TXT "v=STSv1; id=${'1'.repeat(33)}"`,
    ['error mta_sts_without_id _mta-sts'],
  ],
  ['no version', '_mta-sts.sub TXT "id=1"', ['error mta_sts_without_id _mta-sts.sub']],
])('MTA-STS: %s', (_, line, found) => {
  expect(check(line)).toEqual(found);
});

test('MTA-STS: two policies are reported', () => {
  expect(check('_mta-sts TXT "v=STSv1; id=1"', '_mta-sts TXT "v=STSv1; id=2"')).toEqual([
    'error mta_sts_several _mta-sts',
  ]);
});
