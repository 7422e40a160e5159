// Brings an answer into the form in which answers are compared. What the RFCs leave open is taken out here, each with its reason:
//
// * the order of records in a set, and of sets outside the answer section (RFC 1034 section 3.6): sorted;
// * the case of names (RFC 4343): lower;
// * the apex NS set in the authority section of a positive answer, and the addresses that belong to it (RFC 1034 section 4.3.2
//   asks for them of nobody): dropped;
// * all additional records but the glue of a referral (RFC 1034 section 4.3.2 step 6: "which may be useful"): kept apart;
// * what is left in a truncated answer (RFC 2181 section 9: to be ignored): dropped;
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
  const answer = setsOf(message.answer);
  const authority = setsOf(message.authority.filter((record) => !isCourtesy(record, message, zone)));
  const cut = message.authority.find((record) => record.type === 'NS' && !isApexOf(record, zone));
  const needed = (record: WireRecord): boolean => cut !== undefined && isGlue(record, message, cut.owner);
  const sections = tc
    ? { answer: '', authority: '', glue: '' }
    : {
        answer: isAny ? '' : answer.join('\n'),
        authority: authority.sort().join('\n'),
        glue: setsOf(message.additional.filter(needed)).sort().join('\n'),
      };
  return {
    rcode,
    aa: String(aa),
    tc: isAny && !query.tcp ? 'open' : String(tc),
    ...sections,
    isTruncated: tc,
    extras: tc ? [] : setsOf(message.additional.filter((record) => !needed(record))),
    anySets: isAny && !tc ? answer : [],
  };
}

function isApexOf(record: WireRecord, zone: TestZone): boolean {
  return record.owner.toLowerCase() === zone.apex;
}

function isCourtesy(record: WireRecord, message: Message, zone: TestZone): boolean {
  return record.type === 'NS' && message.answer.length > 0 && isApexOf(record, zone);
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
