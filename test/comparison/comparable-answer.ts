// Normalises an answer for comparison. Differences that the RFCs allow are removed, each for the reason given:
//
// * order of records in a set, and of sets outside the answer section (RFC 1034 section 3.6): sorted;
// * case of names (RFC 4343): lower;
// * NS records of the zone in the authority section of a positive answer (not required by RFC 1034 section 4.3.2): dropped;
// * additional records except the glue of a referral (RFC 1034 section 4.3.2 step 6: "which may be useful"): kept separately;
// * the contents of a truncated answer (RFC 2181 section 9: the client must retry), including the response code: dropped;
// * the sets of an answer to ANY, and its TC bit over UDP (RFC 8482 section 4.1: any subset is allowed): kept separately.

import type { Message, Query, WireRecord } from './message.ts';
import { isAtOrBelow, type TestZone } from './test-zone.ts';

export const aspects = ['rcode', 'aa', 'tc', 'answer', 'authority', 'glue'] as const;
export type Aspect = (typeof aspects)[number];

export type ComparableAnswer = Readonly<Record<Aspect, string>> & {
  readonly isTruncated: boolean;
  /** Optional sets of the additional section. */
  readonly extras: readonly string[];
  /** Sets of the answer to ANY. */
  readonly anySets: readonly string[];
};

export function comparable(message: Message, query: Query, zone: TestZone): ComparableAnswer {
  const { rcode, aa, tc } = message;
  const isAny = query.type === 'ANY';
  const authority = message.authority.filter((record) => !isCourtesy(record, message, query, zone));
  const cut = authority.find(({ type }) => type === 'NS')?.owner;
  const needed = (record: WireRecord): boolean => cut !== undefined && isGlue(record, message, cut);
  const answer = setsOf(message.answer);
  return {
    rcode: tc ? '' : rcode,
    aa: String(aa),
    tc: isAny && !query.tcp ? 'open' : String(tc),
    answer: tc || isAny ? '' : answer.join('\n'),
    authority: tc ? '' : setsOf(authority).sort().join('\n'),
    glue: tc ? '' : setsOf(message.additional.filter(needed)).sort().join('\n'),
    isTruncated: tc,
    extras: tc ? [] : setsOf(message.additional.filter((record) => !needed(record))),
    anySets: isAny && !tc ? answer : [],
  };
}

/** True in positive answers, and in answers that end in an alias out of the zone. */
function isCourtesy({ type, owner }: WireRecord, { answer }: Message, query: Query, zone: TestZone): boolean {
  const last = answer.at(-1);
  if (type !== 'NS' || last === undefined) return false;
  return owner.toLowerCase() === zone.apex || query.type === 'ANY' || last.type === query.type;
}

/**
 * Addresses of the delegation's nameservers below it, without which resolution cannot continue (RFC 9471 section 2.1).
 */
function isGlue(record: WireRecord, message: Message, cut: string): boolean {
  const owner = record.owner.toLowerCase();
  return (
    isAtOrBelow(owner, cut) &&
    message.authority.some(({ type, text }) => type === 'NS' && text.toLowerCase() === owner)
  );
}

/** One line per set: owner, type, TTL and sorted data. A set whose records are not contiguous appears as two sets. */
export function setsOf(records: readonly WireRecord[]): string[] {
  const sets: { key: string; data: string[] }[] = [];
  for (const { owner, type, ttl, rdata } of records) {
    const key = `${owner.toLowerCase()} ${type} ${ttl}`;
    const last = sets.at(-1);
    if (last?.key === key) last.data.push(rdata);
    else sets.push({ key, data: [rdata] });
  }
  return sets.map(({ key, data }) => `${key} ${data.sort().join(' ')}`);
}
