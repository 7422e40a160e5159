// Brings an answer into the form in which answers are compared. What the RFCs leave open is taken out here, each with its reason:
//
// * the order of records in a set, and of sets outside the answer section (RFC 1034 section 3.6): sorted;
// * the case of names (RFC 4343): lower;
// * NS records of the zone in the authority section of a positive answer (RFC 1034 section 4.3.2 asks nobody for them): dropped;
// * all additional records but the glue of a referral (RFC 1034 section 4.3.2 step 6: "which may be useful"): kept apart;
// * what is left in a truncated answer (RFC 2181 section 9: it is to be asked for again): dropped, response code and all;
// * the sets of an answer to ANY, and its TC over UDP (RFC 8482 section 4.1: any subset will do): kept apart.

import type { Message, Query, WireRecord } from './message.ts';
import { isAtOrBelow, type TestZone } from './test-zone.ts';

export const aspects = ['rcode', 'aa', 'tc', 'answer', 'authority', 'glue'] as const;
export type Aspect = (typeof aspects)[number];

export type ComparableAnswer = Readonly<Record<Aspect, string>> & {
  readonly isTruncated: boolean;
  /** Sets of the additional section that nobody is obliged to add. */
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

/** In a positive answer, and in one that ends in an alias out of the zone. */
function isCourtesy({ type, owner }: WireRecord, { answer }: Message, query: Query, zone: TestZone): boolean {
  const last = answer.at(-1);
  if (type !== 'NS' || last === undefined) return false;
  return owner.toLowerCase() === zone.apex || query.type === 'ANY' || last.type === query.type;
}

/** Addresses of the delegation's own nameservers that lie below it: nobody could go on without them (RFC 9471 section 2.1). */
function isGlue(record: WireRecord, message: Message, cut: string): boolean {
  const owner = record.owner.toLowerCase();
  return (
    isAtOrBelow(owner, cut) &&
    message.authority.some(({ type, text }) => type === 'NS' && text.toLowerCase() === owner)
  );
}

/** One line a set: owner, type, TTL, data in order. Records of a set stand together, so a set that is torn apart shows as two. */
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
