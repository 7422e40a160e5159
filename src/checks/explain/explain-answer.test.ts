import { expect, test } from 'vitest';
import { readScenarioZone } from '../../nameserver/query/signed-answers.test-support.ts';
import { explainAnswer } from './explain-answer.ts';
import { readerOf, zoneOf } from './explained-zone.test-support.ts';
import type { NameReader } from './explanation.ts';
import { MAX_NAMES_READ, MAX_RECORDS_READ } from './limited-names.ts';

const label = 'x'.repeat(63);
const zone = readScenarioZone(`
zone example.com.
example.com. 3600 SOA ns.example.net. hostmaster.example.com. 1 7200 3600 1209600 300
example.com. 300 MX 10 mail.example.com.
www.example.com. 300 A 192.0.2.1
www.example.com. 300 A 192.0.2.2
www.example.com. 300 TXT "a"
alias.example.com. 300 CNAME www.example.com.
far.example.com. 300 CNAME www.example.net.
loop.example.com. 300 CNAME loop.example.com.
a.b.example.com. 300 A 192.0.2.3
*.wild.example.com. 300 A 192.0.2.4
cut.example.com. 300 NS ns.cut.example.com.
cut.example.com. 300 NS ns.example.net.
ns.cut.example.com. 300 A 192.0.2.5
safe.example.com. 300 NS ns.example.net.
safe.example.com. 300 DS 60485 13 2 2bb183af5f22588179a53b0a98631fad1a2921182bb183af5f22588179a53b0a
moved.example.com. 300 DNAME wild.example.com.
old.moved.example.com. 300 A 192.0.2.6
long.example.com. 300 DNAME ${label}.${label}.${label}.example.com.
`);
const reader = readerOf(zone);

async function explain(name: string, type: string, isSigned = false): Promise<string[]> {
  const own = { ...zoneOf(zone, isSigned), nameservers: ['ns1.example.net'] };
  const { prediction, steps } = await explainAnswer(
    own,
    reader.question(`${name}example.com.`, type),
    reader,
  );
  const answer = prediction?.answer.map((set) => `${set.name} ${set.type}`) ?? [];
  const shown = steps.map(({ code, records }) => [code, ...records].join(' '));
  return [`${prediction?.rcode ?? '-'} ${answer.join(', ')}`.trim(), ...shown];
}

const www = ['www.example.com. TYPE1', 'www.example.com. TYPE1'].join(' ');

test.each<[string, string, string[]]>([
  ['www.', 'A', ['0 www.example.com 1', `exact_match ${www}`]],
  ['WWW.', 'MX', ['0', `no_such_type ${www} www.example.com. TYPE16`]],
  ['', 'SOA', ['0 example.com 6', 'made_by_service']],
  ['', 'NS', ['0 example.com 2', 'made_by_service']],
  ['b.', 'A', ['0', 'empty_non_terminal']],
  ['x.b.', 'A', ['3', 'no_such_name']],
  [
    'x.y.wild.',
    'A',
    [
      '0 x.y.wild.example.com 1',
      'wildcard *.wild.example.com. TYPE1',
      'exact_match *.wild.example.com. TYPE1',
    ],
  ],
  [
    'alias.',
    'A',
    ['0 alias.example.com 5, www.example.com 1', 'cname alias.example.com. TYPE5', `exact_match ${www}`],
  ],
  ['far.', 'A', ['0 far.example.com 5', 'cname far.example.com. TYPE5', 'leaves_domain']],
  ['loop.', 'A', ['0 loop.example.com 5', 'cname loop.example.com. TYPE5', 'alias_loop']],
  [
    'ns.cut.',
    'A',
    [
      '0',
      'delegation cut.example.com. TYPE2 cut.example.com. TYPE2',
      'glue ns.cut.example.com. TYPE1',
      'occluded ns.cut.example.com. TYPE1',
    ],
  ],
  ['safe.', 'A', ['0', 'delegation safe.example.com. TYPE2 safe.example.com. TYPE43']],
  ['safe.', 'DS', ['0 safe.example.com 43', 'exact_match safe.example.com. TYPE43']],
  [
    'old.moved.',
    'A',
    [
      '0 moved.example.com 39, old.moved.example.com 5, old.wild.example.com 1',
      'dname moved.example.com. TYPE39',
      'occluded old.moved.example.com. TYPE1',
      'wildcard *.wild.example.com. TYPE1',
      'exact_match *.wild.example.com. TYPE1',
    ],
  ],
  [`${label}.long.`, 'A', ['6 long.example.com 39', 'dname long.example.com. TYPE39', 'name_too_long']],
])('%s example.com %s is explained', async (name, type, expected) => {
  expect(await explain(name, type)).toEqual([...expected, 'unsigned']);
});

test('the answers of signing are not predicted', async () => {
  expect(await explain('', 'DNSKEY', true)).toEqual(['-', 'made_by_signing', 'signed']);
  expect(await explain('', 'DNSKEY')).toMatchObject([
    '0',
    expect.stringMatching(/^no_such_type/),
    'unsigned',
  ]);
});

test('the sentences name what a person has to know', async () => {
  const messageOf = async (name: string, type = 'A'): Promise<string> => {
    const { steps } = await explainAnswer(
      zoneOf(zone),
      reader.question(`${name}.example.com.`, type),
      reader,
    );
    return steps[0].message;
  };
  expect(await messageOf('x.wild')).toBe(
    'No name x.wild.example.com exists, and the closest name above it that exists is wild.example.com: *.wild.example.com answers in its place',
  );
  expect(await messageOf('www', 'MX')).toBe('www.example.com has no MX records: it has A, TXT records only');
  expect(await messageOf('x.cut')).toBe(
    'x.cut.example.com is below cut.example.com, which is delegated to ns.cut.example.com, ns.example.net: the answer is a referral to them. The delegation is insecure, because it has no DS record',
  );
  expect(await messageOf('safe')).toContain('The delegation is signed, with 1 DS record');
});

test('where names below are not known, nothing is predicted', async () => {
  const blind: NameReader = { ...reader, hasNamesBelow: () => Promise.resolve(undefined) };
  const ask = (name: string) => explainAnswer(zoneOf(zone), reader.question(name, 'A'), blind);
  expect(await ask('b.example.com.')).toMatchObject({ prediction: null, steps: [{ code: 'not_known' }, {}] });
  expect(await ask('www.example.com.')).toMatchObject({ prediction: { rcode: 0 } });
});

test('a chain of aliases over long names reads no more than is allowed', async () => {
  let reads = 0;
  const chain: NameReader = {
    recordsAt: (owner) => {
      reads++;
      const target = reader.question(`${'a.'.repeat(100)}b${reads}.example.com.`, 'A').owner;
      const parsed = readerOf(
        readScenarioZone(`
zone example.com.
example.com. 60 SOA ns.example.net. h.example.com. 1 2 3 4 5
x.example.com. 60 CNAME ${target}.example.com.
`),
      ).recordsAt(reader.question('x.example.com.', 'A').owner, 1);
      return owner.split('.').length > 100 ? parsed : Promise.resolve([]);
    },
    hasNamesBelow: () => Promise.resolve(true),
  };
  const question = reader.question(`${'a.'.repeat(100)}b.example.com.`, 'A');
  expect(await explainAnswer(zoneOf(zone), question, chain)).toMatchObject({ prediction: null });
  expect(reads).toBe(MAX_NAMES_READ);
});

test('names with many records are read up to a number together, and nothing is predicted then', async () => {
  let read = 0;
  const wide: NameReader = {
    recordsAt: (_, limit) => {
      const records = Array.from({ length: Math.min(limit, 900) }, (_, i) => ({ id: `${i}`, type: 16 }));
      read += records.length;
      return Promise.resolve(records);
    },
    hasNamesBelow: () => Promise.resolve(true),
  };
  const ask = (name: string) => explainAnswer(zoneOf(zone), reader.question(name, 'TXT'), wide);
  expect(await ask('b.example.com.')).toMatchObject({ prediction: { rcode: 0 } });
  read = 0;
  expect(await ask('d.c.b.example.com.')).toMatchObject({
    prediction: null,
    steps: [{ code: 'not_known' }, {}],
  });
  expect(read).toBe(MAX_RECORDS_READ + 1);
});
