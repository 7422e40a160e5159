// Known differences between the four servers: the RFC section that decides, and the side that it supports. The first
// applicable row for an aspect of an answer decides; we must answer like one of the servers on its side.

import type { Aspect, ComparableAnswer } from './comparable-answer.ts';
import type { Message, Query } from './message.ts';
import { isAtOrBelow, type TestZone } from './test-zone.ts';

/** One aspect of the answers to one question. */
export interface Case {
  readonly aspect: Aspect;
  readonly query: Query;
  readonly zone: TestZone;
  /** All zones on the servers. */
  readonly zones: readonly TestZone[];
  readonly ours: ComparableAnswer;
  /** Our answer over TCP, in which nothing has to be omitted. */
  readonly whole: Message;
  /** Octets that the client accepts over this transport. */
  readonly limitBytes: number;
  /** By server; servers without an answer are missing. */
  readonly theirs: ReadonlyMap<string, ComparableAnswer>;
}

export interface KnownDifference {
  readonly title: string;
  /** The RFC and section that decide. */
  readonly reference: string;
  applies(facts: Case): boolean;
  /** Returns true if our answer is on the right side. */
  isRight(facts: Case): boolean;
}

/** Number of aliases followed by the most cautious of the four servers (Knot). */
const SHORTEST_LIMIT = 5;

export const knownDifferences: readonly KnownDifference[] = [
  {
    title: 'an RRset that does not fit sets TC; near the limit this depends on name compression',
    reference: 'RFC 2181 section 9',
    applies: ({ aspect }) => aspect === 'tc',
    isRight: ({ ours, whole, limitBytes }) =>
      ours.isTruncated ? whole.bytes > limitBytes : whole.bytes - additionalBytes(whole) <= limitBytes,
  },
  {
    title:
      'a DNAME that leads below itself is followed for one step, NOERROR; all except NSD continue until a limit',
    reference: 'RFC 1034 section 3.6.2: software should not fail when presented with loops',
    applies: ({ whole }) => leadsBelowItself(whole),
    isRight: (facts) => isLike(facts, 'nsd'),
  },
  {
    title: 'an alias loop appears once, NOERROR; BIND and PowerDNS answer SERVFAIL, Knot repeats it',
    reference: 'RFC 1034 section 3.6.2: software should not fail when presented with loops',
    applies: ({ whole }) => isLoop(whole),
    isRight: (facts) => isLike(facts, ...(facts.aspect === 'answer' ? ['bind', 'nsd'] : ['knot', 'nsd'])),
  },
  {
    title: 'a long alias chain is followed; Knot, PowerDNS, BIND and we stop after 5, 10, 11 and 16 aliases',
    reference: 'RFC 1034 section 3.6.2',
    applies: ({ whole }) => chainOf(whole).length >= SHORTEST_LIMIT,
    isRight: ({ aspect, ours, theirs }) =>
      aspect !== 'answer' ||
      ['bind', 'knot', 'nsd'].every((name) => isOneTheBeginning(ours.answer, theirs.get(name)?.answer)),
  },
  {
    title:
      'aliases are followed only within the zone; NSD and PowerDNS continue in other zones that they host',
    reference: 'RFC 5452 section 6: data outside the queried zone must not be trusted',
    applies: ({ whole, zone, zones }) => {
      const target = chainOf(whole).at(-1)?.target;
      return (
        target !== undefined && hostedIn(target, zones) !== undefined && hostedIn(target, zones) !== zone
      );
    },
    isRight: (facts) => isLike(facts, 'knot'),
  },
  {
    title: 'a name that a DNAME makes longer than 255 octets gets YXDOMAIN; Knot answers NXDOMAIN',
    reference: 'RFC 6672 section 2.2',
    applies: ({ ours }) => ours.rcode === 'YXDOMAIN',
    isRight: (facts) => isLike(facts, 'bind', 'nsd', 'powerdns'),
  },
  {
    title: 'a DNAME precedes its synthesized CNAME; PowerDNS reverses them',
    reference: 'RFC 6672 section 3.2 step 3C',
    applies: ({ aspect, theirs, whole }) =>
      aspect === 'answer' && hasDname(whole) && isShuffled(theirs.get('powerdns'), theirs.get('bind')),
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'a query for CNAME is answered with one synthesized from a DNAME or wildcard; PowerDNS follows it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'CNAME' && chainOf(whole).length > 0,
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'a query for ANY is answered with the CNAME synthesized from a DNAME; Knot and NSD follow it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'ANY' && hasDname(whole),
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title: 'a query for ANY is answered with a CNAME; PowerDNS follows it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'ANY' && chainOf(whole).length > 0,
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'ANY at a name without data gets the SOA record; PowerDNS returns a record of type 0',
    reference: 'RFC 2308 section 2.2',
    applies: ({ query, whole }) => query.type === 'ANY' && whole.answer.length === 0,
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title:
      'nested delegations get a referral to the upper one; PowerDNS uses the lower one, or answers for its DS',
    reference: 'RFC 1034 section 4.3.2 step 3b',
    applies: ({ whole, theirs }) =>
      isReferral(whole) && theirs.get('powerdns')?.authority !== theirs.get('bind')?.authority,
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title: 'data below a DNAME is hidden; PowerDNS returns it (Knot and NSD do not load it)',
    reference: 'RFC 6672 section 2.4',
    applies: ({ whole, theirs }) => hasDname(whole) && !theirs.has('knot') && theirs.has('powerdns'),
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title:
      'NS records at a wildcard are data, and make no delegation; Knot makes one (BIND does not load them)',
    reference: 'RFC 4592 section 4.2: undefined',
    applies: ({ zone, theirs }) =>
      !theirs.has('bind') && zone.records.some(({ owner, type }) => type === 'NS' && owner.startsWith('*.')),
    isRight: (facts) => isLike(facts, 'nsd', 'powerdns'),
  },
  {
    title: 'no glue is synthesized from a wildcard below the delegation; Knot and NSD do so',
    reference: 'RFC 1034 section 4.3.3: wildcards do not apply across a delegation',
    applies: ({ aspect }) => aspect === 'glue',
    isRight: (facts) => isLike(facts, 'bind', 'powerdns'),
  },
];

/** True if our answer equals one of theirs, or if none of them takes part (`--only`). */
export function isLike({ aspect, ours, theirs }: Case, ...names: readonly string[]): boolean {
  const right = names.flatMap((name) => theirs.get(name)?.[aspect] ?? []);
  return right.length === 0 || right.includes(ours[aspect]);
}

export function hasDname({ answer }: Message): boolean {
  return answer.some(({ type }) => type === 'DNAME');
}

function isReferral({ authority }: Message): boolean {
  return authority.some(({ type }) => type === 'NS');
}

/** Our zone closest to the name. */
export function hostedIn(name: string, zones: readonly TestZone[]): TestZone | undefined {
  const above = zones.filter(({ apex }) => isAtOrBelow(name, apex));
  return above.sort((one, other) => other.apex.length - one.apex.length).at(0);
}

export function chainOf({ answer }: Message): readonly { readonly owner: string; readonly target: string }[] {
  return answer
    .filter(({ type }) => type === 'CNAME')
    .map(({ owner, text }) => ({ owner: owner.toLowerCase(), target: text.toLowerCase() }));
}

export function isLoop(message: Message): boolean {
  const chain = chainOf(message);
  const last = chain.at(-1);
  return chain.some(({ owner }) => owner === last?.target);
}

/** True for a DNAME that can be followed without end. */
export function leadsBelowItself({ answer }: Message): boolean {
  return answer.some(({ type, owner, text }) => type === 'DNAME' && isAtOrBelow(text, owner));
}

/** True if servers give up at different aliases. */
export function isFollowedDifferently(message: Message): boolean {
  return leadsBelowItself(message) || isLoop(message) || chainOf(message).length >= SHORTEST_LIMIT;
}

/** A lower bound of the additional section's size: each record has a header of 12 octets and its data. */
function additionalBytes({ additional }: Message): number {
  return additional.reduce((sum, { rdata }) => sum + 12 + rdata.length / 2, 0);
}

function isOneTheBeginning(one: string, other = ''): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** True if the answers are equal except for their order, including the order of records of different sets. */
export function isShuffled(one: ComparableAnswer | undefined, other: ComparableAnswer | undefined): boolean {
  const [words, others] = [one, other].map((each) => [...new Set(each?.answer.split(/\s/))].sort().join(' '));
  return words === others;
}
