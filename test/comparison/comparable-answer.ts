// Normalises an answer for comparison. Differences that the RFCs allow are removed, each for the reason given:
//
// * order of records in a set, and of sets outside the answer section (RFC 1034 section 3.6): sorted;
// * case of names (RFC 4343): lower;
// * NS records of the zone in the authority section of a positive answer (not required by RFC 1034 section 4.3.2): dropped;
// * additional records except the glue of a referral (RFC 1034 section 4.3.2 step 6: "which may be useful"): kept separately;
// * the contents of a truncated answer (RFC 2181 section 9: the client must retry), including the response code: dropped;
// * in signed zones, keys, signatures, times and the serial (`signed-records.ts`); whether a signature follows its set at
//   once (RFC 4035 section 3.1.1: it is in the same section): it is shown with its set;
// * signatures of additional records (RFC 4035 section 3.1.1: may be left out for lack of room): dropped;
// * the sets of an answer to ANY, and its TC bit over UDP (RFC 8482 section 4.1: any subset is allowed): kept separately.

import type { Message, Query, WireRecord } from './message.ts';
import { essentialData, essentialTtl, readSignature } from './signed-records.ts';
import { isAtOrBelow, type TestZone } from './test-zone.ts';

export const aspects = ['rcode', 'aa', 'tc', 'answer', 'authority', 'glue'] as const;
export type Aspect = (typeof aspects)[number];

export type ComparableAnswer = Readonly<Record<Aspect, string>> & {
  readonly isTruncated: boolean;
  /** Optional sets of the additional section. */
  readonly extras: readonly string[];
  /** Sets of the answer to ANY or RRSIG. */
  readonly anySets: readonly string[];
};

export function comparable(message: Message, query: Query, zone: TestZone): ComparableAnswer {
  const { rcode, aa, tc } = message;
  const isAny = asksForAnySet(query);
  const authority = message.authority.filter((record) => !isCourtesy(record, message, query, zone));
  const cut = authority.find(({ type }) => type === 'NS')?.owner;
  const needed = (record: WireRecord): boolean => cut !== undefined && isGlue(record, message, cut);
  const show = zone.denial === undefined ? setsOf : signedSetsOf;
  const answer = show(message.answer);
  const additional = message.additional.filter(({ type }) => type !== 'RRSIG');
  return {
    rcode: tc ? '' : rcode,
    aa: String(aa),
    tc: isAny && !query.tcp ? 'open' : String(tc),
    answer: tc || isAny ? '' : answer.join('\n'),
    authority: tc ? '' : show(authority).sort().join('\n'),
    glue: tc ? '' : setsOf(additional.filter(needed)).sort().join('\n'),
    isTruncated: tc,
    extras: tc ? [] : setsOf(additional.filter((record) => !needed(record))),
    anySets: isAny && !tc ? answer : [],
  };
}

/** True if any of the name's sets is an answer (RFC 8482 section 7 for RRSIG). */
export function asksForAnySet({ type }: Query): boolean {
  return type === 'ANY' || type === 'RRSIG';
}

/** True in positive answers, and in answers that end in an alias out of the zone. */
function isCourtesy(record: WireRecord, { answer }: Message, query: Query, zone: TestZone): boolean {
  const owner = record.owner.toLowerCase();
  const type = record.type === 'RRSIG' ? readSignature(record).covered : record.type;
  const last = answer.findLast((other) => other.type !== 'RRSIG' || query.type === 'RRSIG');
  if (type !== 'NS' || last === undefined) return false;
  return owner === zone.apex || query.type === 'ANY' || last.type === query.type;
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
  return groupIntoSets(
    records,
    ({ ttl }) => String(ttl),
    ({ rdata }) => rdata,
  ).map(({ text }) => text);
}

/** The sets of a signed zone, each with the essence of its signatures; signatures without their set come last. */
function signedSetsOf(records: readonly WireRecord[]): string[] {
  const signatures = records.filter(({ type }) => type === 'RRSIG').map(readSignature);
  const sets = groupIntoSets(
    records.filter(({ type }) => type !== 'RRSIG'),
    essentialTtl,
    essentialData,
  );
  const alone = signatures.filter(
    ({ owner, covered }) => !sets.some((set) => set.owner === owner && set.type === covered),
  );
  return [
    ...sets.map(({ owner, type, text }) => {
      const own = signatures.filter((signature) => signature.owner === owner && signature.covered === type);
      return [text, ...new Set(own.map(({ essence }) => `signed: ${essence}`))].join(' ');
    }),
    ...new Set(alone.map(({ owner, covered, essence }) => `${owner} RRSIG ${covered} ${essence}`)),
  ];
}

interface ShownSet {
  readonly owner: string;
  readonly type: string;
  readonly text: string;
}

function groupIntoSets(
  records: readonly WireRecord[],
  ttlOf: (record: WireRecord) => string,
  dataOf: (record: WireRecord) => string,
): ShownSet[] {
  const sets: { owner: string; type: string; key: string; data: string[] }[] = [];
  for (const record of records) {
    const [owner, type] = [record.owner.toLowerCase(), record.type];
    const key = `${owner} ${type} ${ttlOf(record)}`;
    const last = sets.at(-1);
    if (last?.key === key) last.data.push(dataOf(record));
    else sets.push({ owner, type, key, data: [dataOf(record)] });
  }
  return sets.map(({ owner, type, key, data }) => ({ owner, type, text: `${key} ${data.sort().join(' ')}` }));
}
