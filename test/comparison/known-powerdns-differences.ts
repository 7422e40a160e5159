// How PowerDNS differs from us in signed zones, where BIND, Knot and NSD have judged our answers. PowerDNS keeps no chain: it
// finds NSEC and NSEC3 records while it answers, in the order of all names that it takes for authoritative.

import type { ComparableAnswer } from './comparable-answer.ts';
import { chainOf, hostedIn, isLoop, leadsBelowItself, type Case } from './known-differences.ts';
import { isAtOrBelow, type TestZone } from './test-zone.ts';

/** We are right, or both are. */
export interface PowerdnsDifference {
  readonly title: string;
  /** The RFC and section that decide. */
  readonly reference: string;
  applies(facts: Case, powerdns: ComparableAnswer): boolean;
}

/** Number of aliases after which PowerDNS gives up. */
const LONGEST_CHAIN = 10;

/** Sets that PowerDNS makes from its keys, and does not find at the end of an alias. */
const keyTypes: readonly string[] = ['DNSKEY', 'CDS', 'CDNSKEY', 'NSEC3PARAM'];

export const knownPowerdnsDifferences: readonly PowerdnsDifference[] = [
  {
    title: 'a query for RRSIG gets signatures; PowerDNS refuses it',
    reference: 'RFC 8482 section 7 leaves open what the answer is',
    applies: ({ query }, { rcode }) => query.type === 'RRSIG' && rcode === 'REFUSED',
  },
  {
    title:
      'NSEC is a type like any other; PowerDNS lacks it at wildcards and without DO, and follows aliases',
    reference: 'RFC 4035 section 3.1',
    applies: ({ query, zone }) => query.type === 'NSEC' && zone.denial === 'nsec',
  },
  {
    title: 'an RRset that does not fit sets TC; PowerDNS compresses names otherwise, or has another answer',
    reference: 'RFC 2181 section 9',
    applies: ({ aspect }) => aspect === 'tc',
  },
  {
    title: 'an alias loop appears once, NOERROR; PowerDNS answers SERVFAIL',
    reference: 'RFC 1034 section 3.6.2: software should not fail when presented with loops',
    applies: ({ query, whole }, { rcode }) =>
      rcode === 'SERVFAIL' &&
      (isLoop(whole) || leadsBelowItself(whole) || (query.type === 'ANY' && chainOf(whole).length > 0)),
  },
  {
    title: 'a long alias chain is followed; PowerDNS answers SERVFAIL after 10 aliases',
    reference: 'RFC 1034 section 3.6.2',
    applies: ({ whole }, { rcode }) => rcode === 'SERVFAIL' && chainOf(whole).length >= LONGEST_CHAIN,
  },
  {
    title: 'a DNAME precedes its synthesised CNAME; PowerDNS reverses them, and mixes the sets of a chain',
    reference: 'RFC 6672 section 3.2 step 3C',
    applies: ({ aspect, ours }, powerdns) =>
      aspect === 'answer' && wordsOf(ours.answer) === wordsOf(powerdns.answer),
  },
  {
    // A DNAME at the end of an answer looks as if nothing had been followed: `comparable` drops NS records then.
    title: 'a query for DNAME below one is answered with its CNAME; PowerDNS puts the DNAME last',
    reference: 'RFC 6672 section 3.2 step 3C',
    applies: ({ aspect, query, whole }) =>
      query.type === 'DNAME' && chainOf(whole).length > 0 && (aspect === 'authority' || aspect === 'glue'),
  },
  {
    title: 'a query for CNAME or ANY gets a synthesised CNAME alone; PowerDNS follows it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => ['CNAME', 'ANY'].includes(query.type) && chainOf(whole).length > 0,
  },
  {
    title: 'ANY at a name without data gets the SOA record; PowerDNS returns a record of type 0',
    reference: 'RFC 2308 section 2.2',
    applies: ({ aspect, query, whole }) =>
      aspect === 'authority' &&
      query.type === 'ANY' &&
      whole.rcode === 'NOERROR' &&
      whole.answer.length === 0,
  },
  {
    title: 'an alias to the apex leads to its key sets; PowerDNS finds none there',
    reference: 'RFC 4035 section 3.1',
    applies: ({ query, whole, zone }) =>
      keyTypes.includes(query.type) && chainOf(whole).at(-1)?.target === zone.apex,
  },
  {
    title: 'aliases are followed only within the zone; PowerDNS continues in other zones that it hosts',
    reference: 'RFC 5452 section 6: data outside the queried zone must not be trusted',
    applies: ({ whole, zone, zones }) => {
      const target = chainOf(whole).at(-1)?.target;
      const host = target === undefined ? undefined : hostedIn(target, zones);
      return host !== undefined && host.apex !== zone.apex;
    },
  },
  {
    title: 'a referral contains the DS record if DO is set; PowerDNS adds it always',
    reference: 'RFC 4035 section 3.1.4',
    applies: ({ aspect, query, ours }, powerdns) =>
      aspect === 'authority' &&
      query.dnssecOk !== true &&
      ours.authority === linesWithout(powerdns.authority, / DS /),
  },
  {
    title: 'nested delegations get a referral to the upper one; PowerDNS uses the lower one',
    reference: 'RFC 1034 section 4.3.2 step 3b',
    applies: ({ query, whole, zone }) => {
      const names = [query.name, ...chainOf(whole).map(({ target }) => target)];
      return upperCutsOf(zone).some((cut) => names.some((name) => isAtOrBelow(name, cut)));
    },
  },
  {
    title: 'a delegation below another one is in no chain; in PowerDNS it is',
    reference: 'RFC 4034 section 4 and RFC 5155 section 7.1',
    applies: ({ aspect, zone, ours }, powerdns) =>
      aspect === 'authority' &&
      upperCutsOf(zone).length > 0 &&
      linesWithout(ours.authority, / NSEC3? /) === linesWithout(powerdns.authority, / NSEC3? /),
  },
];

function wordsOf(section: string): string {
  return [...new Set(section.split(/\s/))].sort().join(' ');
}

function linesWithout(section: string, pattern: RegExp): string {
  return section
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n');
}

/** Delegations that have another one below. */
function upperCutsOf({ apex, records }: TestZone): string[] {
  const cuts = records
    .filter(({ type, owner }) => type === 'NS' && owner.toLowerCase() !== apex)
    .map(({ owner }) => owner.toLowerCase());
  return cuts.filter((upper) => cuts.some((cut) => cut !== upper && isAtOrBelow(cut, upper)));
}
