// Where the four servers differ from one another: which RFC section decides, and whose answers it bears out. The first row that
// applies to an aspect of an answer decides; we must give what one of the servers on its side gives.

import type { Aspect, ComparableAnswer } from './comparable-answer.ts';
import type { Message, Query } from './message.ts';

/** One aspect of the answers to one question. */
export interface Case {
  readonly aspect: Aspect;
  readonly query: Query;
  readonly ours: ComparableAnswer;
  /** Our answer over TCP, where nothing has to be left out. */
  readonly whole: Message;
  /** Octets that the client takes over this transport. */
  readonly limitBytes: number;
  /** By server; those that gave no answer are missing. */
  readonly theirs: ReadonlyMap<string, ComparableAnswer>;
}

export interface KnownDifference {
  readonly title: string;
  /** RFC and section that decide. */
  readonly reference: string;
  applies(facts: Case): boolean;
  /** Whether our answer is on the right side. */
  isRight(facts: Case): boolean;
}

/** Aliases that the most cautious of the four follows (Knot). */
const SHORTEST_LIMIT = 5;

export const knownDifferences: readonly KnownDifference[] = [
  {
    title: 'a set that does not fit sets TC; how well names are compressed decides near the limit',
    reference: 'RFC 2181 section 9',
    applies: ({ aspect, query }) => aspect === 'tc' && !query.tcp,
    isRight: ({ ours, whole, limitBytes }) => {
      const needed = whole.bytes - additionalBytes(whole);
      return ours.tc === 'true' ? whole.bytes > limitBytes : needed <= limitBytes;
    },
  },
  {
    title:
      'aliases are followed to the end of a long chain; Knot, PowerDNS and BIND give up after 5, 10 and 11',
    reference: 'RFC 1034 section 3.6.2',
    applies: ({ whole }) => chainOf(whole).length >= SHORTEST_LIMIT && !isLoop(whole),
    isRight: ({ aspect, ours, theirs }) =>
      aspect !== 'answer' ||
      [...theirs.values()].every(
        ({ rcode, answer }) => rcode === 'SERVFAIL' || ours.answer.startsWith(answer) || answer === '',
      ),
  },
  {
    title:
      'a loop of aliases is shown once, with NOERROR; BIND and PowerDNS answer SERVFAIL, Knot goes round several times',
    reference: 'RFC 1034 section 3.6.2: software should not fail when presented with loops',
    applies: ({ whole }) => isLoop(whole),
    isRight: (facts) =>
      facts.aspect === 'answer' ? isLike(facts, 'bind', 'nsd') : isLike(facts, 'knot', 'nsd'),
  },
  {
    title: 'a DNAME comes before the CNAME made from it; PowerDNS turns them round',
    reference: 'RFC 6672 section 3.2 step 3C',
    applies: ({ aspect, theirs, whole }) =>
      aspect === 'answer' &&
      hasDname(whole) &&
      sorted(theirs.get('powerdns')?.answer) === sorted(theirs.get('bind')?.answer),
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'a question for CNAME is answered by the CNAME that a DNAME stands for; PowerDNS follows it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'CNAME' && hasDname(whole),
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'so is a question for ANY; Knot and NSD follow it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'ANY' && hasDname(whole),
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title: 'a question for ANY is answered by a CNAME; PowerDNS follows it',
    reference: 'RFC 1034 section 3.6.2: queries which match the CNAME type are not restarted',
    applies: ({ query, whole }) => query.type === 'ANY' && chainOf(whole).length > 0,
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'ANY at a name without data is answered with the SOA record; PowerDNS gives a record of type 0',
    reference: 'RFC 2308 section 2.2',
    applies: ({ query, whole }) => query.type === 'ANY' && whole.answer.length === 0,
    isRight: (facts) => isLike(facts, 'bind', 'knot', 'nsd'),
  },
  {
    title: 'no glue is made from a wildcard below the delegation; Knot and NSD do',
    reference: 'RFC 1034 section 4.3.3: wildcards do not apply across a delegation',
    applies: ({ aspect }) => aspect === 'glue',
    isRight: (facts) => isLike(facts, 'bind', 'powerdns'),
  },
];

function isLike({ aspect, ours, theirs }: Case, ...names: readonly string[]): boolean {
  return names.some((name) => theirs.get(name)?.[aspect] === ours[aspect]);
}

function hasDname({ answer }: Message): boolean {
  return answer.some(({ type }) => type === 'DNAME');
}

function chainOf({ answer }: Message): readonly { readonly owner: string; readonly target: string }[] {
  return answer
    .filter(({ type }) => type === 'CNAME')
    .map(({ owner, text }) => ({ owner: owner.toLowerCase(), target: text.toLowerCase() }));
}

function isLoop(message: Message): boolean {
  const chain = chainOf(message);
  const last = chain.at(-1);
  return chain.some(({ owner }) => owner === last?.target);
}

/** At least what the additional section takes: each record has a header of 12 octets, and its data. */
function additionalBytes({ additional }: Message): number {
  return additional.reduce((sum, { rdata }) => sum + 12 + rdata.length / 2, 0);
}

function sorted(text: string | undefined): string | undefined {
  return text?.split('\n').sort().join('\n');
}
