// Queries with dig for everything that an authoritative nameserver must answer correctly, one row each. The zone is
// created through the API.

import { LARGE_RECORDS, ZONE } from '../answers-zone.ts';
import { rdataOf, type DigAnswer } from '../dig.ts';
import { expectEqual, expectOneOf } from '../expect.ts';
import { serviceNameservers } from '../service.ts';
import type { Bench, RunCase, Suite } from '../suite.ts';

interface Row {
  readonly title: string;
  /** dig's arguments: name, type, options. */
  readonly ask: string;
  readonly status?: string;
  /** Rdata or whole lines as `type rdata`, sorted; the whole section. */
  readonly answer?: readonly string[];
  readonly authority?: readonly string[];
  readonly additional?: readonly string[];
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
  /** Other checks; throws if one fails. */
  check?(found: DigAnswer): void;
}

const SOA = 'SOA';
const NEGATIVE = { answer: [], authority: [SOA], has: ['aa'] } as const;
const BOTH = ['A 192.0.2.1', 'A 192.0.2.2'] as const;
const REFERRAL = {
  answer: [],
  authority: [`NS ns.elsewhere.test.`, `NS ns1.sub.${ZONE}.`],
  additional: ['A 192.0.2.53', 'AAAA 2001:db8::53'],
  hasNot: ['aa'],
} as const;

const rows: readonly Row[] = [
  // Data, no data, no name: RFC 1034 section 4.3.2, RFC 2308 section 5.
  {
    title: 'exact match',
    ask: `www.${ZONE} A`,
    answer: BOTH,
    has: ['qr', 'aa'],
    hasNot: ['ra', 'rd', 'tc', 'ad'],
  },
  { title: 'exact match of another type', ask: `www.${ZONE} AAAA`, answer: ['AAAA 2001:db8::1'] },
  { title: 'NODATA', ask: `www.${ZONE} TXT`, ...NEGATIVE, check: checkNegativeTtl },
  { title: 'NXDOMAIN', ask: `nothing.${ZONE} A`, status: 'NXDOMAIN', ...NEGATIVE, check: checkNegativeTtl },
  { title: 'NXDOMAIN far below', ask: `a.b.c.nothing.${ZONE} A`, status: 'NXDOMAIN', ...NEGATIVE },
  { title: 'empty non-terminal', ask: `empty.${ZONE} A`, ...NEGATIVE },
  { title: 'empty non-terminal below another', ask: `deep.empty.${ZONE} A`, ...NEGATIVE },
  {
    title: 'name beside an empty non-terminal',
    ask: `other.empty.${ZONE} A`,
    status: 'NXDOMAIN',
    ...NEGATIVE,
  },
  { title: 'apex SOA', ask: `${ZONE} SOA`, answer: [SOA], has: ['aa'] },
  {
    title: 'apex NS',
    ask: `${ZONE} NS`,
    answer: serviceNameservers.map((host) => `NS ${host}.`),
    has: ['aa'],
  },
  { title: 'DS at the apex of a zone whose parent is elsewhere', ask: `${ZONE} DS`, ...NEGATIVE },
  {
    title: 'MX with the address of its host',
    ask: `${ZONE} MX`,
    answer: [`MX 10 mail.${ZONE}.`],
    additional: ['A 192.0.2.25'],
  },
  {
    title: 'question and owner in the case that was asked',
    ask: `wWw.AnSwErS.eXaMpLe A`,
    answer: BOTH,
    check: checkCase,
  },

  // Wildcards: RFC 4592 section 2.2.1.
  { title: 'wildcard', ask: `any.wild.${ZONE} TXT`, answer: ['TXT "from the wildcard"'], has: ['aa'] },
  { title: 'wildcard over several labels', ask: `a.b.wild.${ZONE} TXT`, answer: ['TXT "from the wildcard"'] },
  { title: 'wildcard asked by its own name', ask: `*.wild.${ZONE} TXT`, answer: ['TXT "from the wildcard"'] },
  { title: 'wildcard without data of the type', ask: `any.wild.${ZONE} A`, ...NEGATIVE },
  { title: 'existing name beside a wildcard', ask: `known.wild.${ZONE} TXT`, ...NEGATIVE },
  {
    title: 'name below an existing one beside a wildcard',
    ask: `x.known.wild.${ZONE} TXT`,
    status: 'NXDOMAIN',
    ...NEGATIVE,
  },
  { title: 'the name the wildcard stands under', ask: `wild.${ZONE} TXT`, ...NEGATIVE },
  { title: 'wildcard alias', ask: `x.wildalias.${ZONE} A`, answer: [...BOTH, `CNAME www.${ZONE}.`] },

  // Aliases: RFC 1034 section 3.6.2, RFC 6604 section 3.
  { title: 'alias', ask: `alias.${ZONE} A`, answer: [...BOTH, `CNAME www.${ZONE}.`], has: ['aa'] },
  {
    title: 'alias of an alias',
    ask: `chain.${ZONE} A`,
    answer: [...BOTH, `CNAME alias.${ZONE}.`, `CNAME www.${ZONE}.`],
  },
  { title: 'alias asked for itself', ask: `alias.${ZONE} CNAME`, answer: [`CNAME www.${ZONE}.`] },
  {
    title: 'alias without data of the type',
    ask: `alias.${ZONE} TXT`,
    answer: [`CNAME www.${ZONE}.`],
    authority: [SOA],
  },
  {
    title: 'alias of nothing',
    ask: `dangling.${ZONE} A`,
    status: 'NXDOMAIN',
    answer: [`CNAME nothing.${ZONE}.`],
    authority: [SOA],
  },
  { title: 'alias to another zone', ask: `outside.${ZONE} A`, answer: ['CNAME www.elsewhere.test.'] },
  {
    title: 'aliases in a circle',
    ask: `loop-a.${ZONE} A`,
    answer: [`CNAME loop-a.${ZONE}.`, `CNAME loop-b.${ZONE}.`],
  },
  { title: 'alias into a delegated zone', ask: `into-sub.${ZONE} A`, check: checkAliasIntoSub },

  // Delegations: RFC 1034 section 4.2.1, RFC 3658 section 2.2.1.
  { title: 'referral with glue', ask: `host.sub.${ZONE} A`, ...REFERRAL },
  { title: 'referral at the cut', ask: `sub.${ZONE} NS`, ...REFERRAL },
  { title: 'referral far below', ask: `a.b.c.sub.${ZONE} A`, ...REFERRAL },
  { title: 'data below the cut is hidden', ask: `hidden.sub.${ZONE} A`, ...REFERRAL },
  { title: 'glue is not an answer', ask: `ns1.sub.${ZONE} A`, ...REFERRAL },
  { title: 'DS at the cut is the parent’s', ask: `sub.${ZONE} DS`, ...NEGATIVE },

  // Whole subtrees under another name: RFC 6672 section 3.2.
  {
    title: 'DNAME',
    ask: `host.old.${ZONE} A`,
    answer: ['A 192.0.2.5', `CNAME host.new.${ZONE}.`, `DNAME new.${ZONE}.`],
  },
  { title: 'DNAME asked for itself', ask: `old.${ZONE} DNAME`, answer: [`DNAME new.${ZONE}.`] },
  { title: 'the owner of a DNAME', ask: `old.${ZONE} A`, ...NEGATIVE },
  {
    title: 'DNAME to nothing',
    ask: `nothing.old.${ZONE} A`,
    status: 'NXDOMAIN',
    answer: [`CNAME nothing.new.${ZONE}.`, `DNAME new.${ZONE}.`],
  },

  // EDNS(0): RFC 6891.
  {
    title: 'EDNS is answered with EDNS',
    ask: `www.${ZONE} A +bufsize=4096`,
    answer: BOTH,
    check: ({ edns }) => checkEdns(edns),
  },
  {
    title: 'no EDNS, none in the answer',
    ask: `www.${ZONE} A +noedns`,
    answer: BOTH,
    additional: [],
    check: ({ edns }) => expectEqual(edns, [], 'EDNS'),
  },
  {
    title: 'an unknown EDNS version',
    ask: `www.${ZONE} A +edns=1 +noednsnegotiation`,
    status: 'BADVERS',
    answer: [],
  },
  {
    title: 'an unknown EDNS option',
    ask: `www.${ZONE} A +ednsopt=65001:c0ffee`,
    answer: BOTH,
    check: ({ edns }) => checkEdns(edns),
  },
  { title: 'unknown EDNS flags', ask: `www.${ZONE} A +ednsflags=0x40`, answer: BOTH },
  { title: 'NSID and a cookie', ask: `www.${ZONE} A +nsid +cookie`, answer: BOTH },
  { title: 'a client subnet', ask: `www.${ZONE} A +subnet=192.0.2.0/24`, answer: BOTH },
  {
    title: 'DNSSEC wanted of an unsigned zone',
    ask: `www.${ZONE} A +dnssec`,
    answer: BOTH,
    check: ({ edns }) => expectEqual(/flags: do/.test(edns.join()), true, 'the DO flag comes back'),
  },
  {
    title: 'AD, CD and RD in the question',
    ask: `www.${ZONE} A +adflag +cdflag +recurse`,
    answer: BOTH,
    has: ['rd'],
    hasNot: ['ad', 'ra'],
  },

  // Size: RFC 1035 section 4.2.1, RFC 2181 section 9, RFC 7766.
  {
    title: 'too large for UDP',
    ask: `large.${ZONE} TXT +ignore +bufsize=1232`,
    has: ['tc'],
    check: (found) => checkSize(found, 1232),
  },
  {
    title: 'too large for UDP without EDNS',
    ask: `large.${ZONE} TXT +ignore +noedns`,
    has: ['tc'],
    check: (found) => checkSize(found, 512),
  },
  {
    title: 'an offer below 512 bytes counts as 512',
    ask: `www.${ZONE} A +ignore +bufsize=100`,
    answer: BOTH,
    hasNot: ['tc'],
  },
  { title: 'truncated, then all over TCP', ask: `large.${ZONE} TXT`, check: checkLarge, hasNot: ['tc'] },
  { title: 'TCP from the start', ask: `large.${ZONE} TXT +tcp`, check: checkLarge },
  { title: 'TCP for what is small', ask: `www.${ZONE} A +tcp`, answer: BOTH },

  // Rare questions, and questions for other servers: RFC 8482, RFC 1035 section 4.1.1, RFC 4592 section 4.2.
  { title: 'ANY', ask: `www.${ZONE} ANY`, check: checkAny },
  { title: 'ANY over TCP', ask: `www.${ZONE} ANY +tcp`, check: checkAny },
  { title: 'ANY for a name that is not there', ask: `nothing.${ZONE} ANY`, status: 'NXDOMAIN', ...NEGATIVE },
  {
    title: 'a zone that is not here',
    ask: 'www.elsewhere.test A',
    status: 'REFUSED',
    answer: [],
    authority: [],
    hasNot: ['aa', 'ra'],
  },
  { title: 'the parent of a zone', ask: 'example SOA', status: 'REFUSED', answer: [], hasNot: ['aa'] },
  { title: 'the root', ask: '. NS', status: 'REFUSED', answer: [], authority: [], hasNot: ['aa'] },
  { title: 'a name that only ends alike', ask: `not${ZONE} A`, status: 'REFUSED', answer: [] },
  { title: 'an unknown type', ask: `www.${ZONE} TYPE65399`, ...NEGATIVE },
];

export const answersSuite: Suite = {
  name: 'dig',
  run: async (runCase, bench) => {
    for (const row of rows) await runRow(runCase, bench, row);
    await seldomCases(runCase, bench);
  },
};

function runRow(runCase: RunCase, { dig }: Bench, row: Row): Promise<void> {
  return runCase(row.title, async () => {
    const found = await dig(...row.ask.split(' '));
    const context = `dig ${row.ask}\n${found.text}`;
    expectEqual(found.status, row.status ?? 'NOERROR', `status of ${context}`);
    for (const section of ['answer', 'authority', 'additional'] as const) {
      const wanted = row[section];
      if (wanted)
        expectEqual(shorten(found[section]), [...wanted].sort(), `${section} section of ${context}`);
    }
    for (const flag of row.has ?? [])
      expectEqual(found.flags.includes(flag), true, `flag ${flag} in ${context}`);
    for (const flag of row.hasNot ?? [])
      expectEqual(found.flags.includes(flag), false, `flag ${flag} in ${context}`);
    row.check?.(found);
    return `${found.status}, ${found.answer.length} answers`;
  });
}

/**
 * Removes owner, TTL and class from `owner ttl class type rdata` and sorts; only the type remains of a SOA record.
 */
function shorten(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.split(' ').slice(3).join(' '))
    .map((line) => (line.startsWith('SOA ') ? SOA : line))
    .sort();
}

/** RFC 2308 section 5: the SOA's own TTL or its minimum field, whichever is less. */
function checkNegativeTtl({ authority }: DigAnswer): void {
  const [owner, ttl, , , ...rdata] = (authority[0] ?? '').split(' ');
  expectEqual(owner, `${ZONE}.`, 'owner of the SOA');
  expectEqual(Number(ttl) <= Number(rdata.at(-1)), true, `TTL ${ttl} is at most the minimum ${rdata.at(-1)}`);
}

function checkCase({ text, answer }: DigAnswer): void {
  expectEqual(text.includes(';wWw.AnSwErS.eXaMpLe.'), true, `the question comes back as asked\n${text}`);
  expectEqual(answer.length, 2, 'answers');
}

function checkAliasIntoSub({ answer, authority, text }: DigAnswer): void {
  expectEqual(rdataOf(answer, 'CNAME'), [`host.sub.${ZONE}.`], text);
  expectEqual(rdataOf(authority, 'NS').length, 2, `NS of the delegated zone\n${text}`);
}

function checkEdns(edns: readonly string[]): void {
  const [, size] = /EDNS: version: 0, flags:[^;]*; udp: (\d+)/.exec(edns.join('\n')) ?? [];
  expectEqual(
    Number(size) >= 512 && Number(size) <= 4096,
    true,
    `an EDNS version 0 with a sensible size in ${edns.join()}`,
  );
}

function checkSize({ text }: DigAnswer, limitBytes: number): void {
  const size = Number(/MSG SIZE +rcvd: (\d+)/.exec(text)?.[1]);
  expectEqual(size <= limitBytes, true, `${size} bytes, at most ${limitBytes}`);
}

function checkLarge({ answer, text }: DigAnswer): void {
  expectEqual(rdataOf(answer, 'TXT').length, LARGE_RECORDS, 'answers');
  expectEqual(/\(TCP\)/.test(text), true, 'it came over TCP');
}

function checkAny({ status, answer, text }: DigAnswer): void {
  expectEqual(status, 'NOERROR', text);
  expectEqual(answer.length > 0, true, `something is answered\n${text}`);
}

async function seldomCases(runCase: RunCase, { dig }: Bench): Promise<void> {
  for (const [name, code] of [
    ['IQUERY', 1],
    ['STATUS', 2],
    ['opcode 3', 3],
    ['DSO', 6],
    ['opcode 15', 15],
  ] as const)
    await runCase(`${name} is not implemented`, async () => {
      const found = await dig(`+opcode=${code}`, `www.${ZONE}`, 'A');
      expectEqual(found.status, 'NOTIMP', found.text);
      return found.status;
    });
  for (const [name, code] of [
    ['NOTIFY', 4],
    ['UPDATE', 5],
  ] as const)
    await runCase(`${name} from anyone is turned away`, async () => {
      const found = await dig(`+opcode=${code}`, ZONE, 'SOA');
      expectOneOf(found.status, ['NOTIMP', 'REFUSED', 'NOTAUTH', 'FORMERR'], found.text);
      return found.status;
    });
  for (const [title, ...question] of [
    ['class CH', 'version.bind', 'TXT', 'CH'],
    ['class HS', `www.${ZONE}`, 'A', 'HS'],
  ] as const)
    await runCase(`${title} is answered without data of ours`, async () => {
      const found = await dig(...question);
      expectOneOf(found.status, ['REFUSED', 'NOTIMP'], found.text);
      return found.status;
    });
  for (const option of ['+tcp', '+notcp'])
    await runCase(`zone transfer is refused (${option})`, async () => {
      const found = await dig(ZONE, 'AXFR', option);
      expectEqual(
        found.answer.length + rdataOf(found.authority, 'NS').length,
        0,
        `nothing is transferred\n${found.text}`,
      );
      expectEqual(
        /timed out|no servers could be reached/.test(found.text),
        false,
        `it is answered\n${found.text}`,
      );
      return /Transfer failed/.test(found.text) ? 'Transfer failed' : found.status;
    });
}
