// Judges our answer to one question by the answers of the others. Where they agree, we must agree; where they differ, a
// known difference names the RFC section and the side that is right, and we must be on that side.

import {
  asksForAnySet,
  aspects,
  comparable,
  type Aspect,
  type ComparableAnswer,
} from './comparable-answer.ts';
import { isFollowedDifferently, knownDifferences, type Case } from './known-differences.ts';
import { knownPowerdnsDifferences } from './known-powerdns-differences.ts';
import { knownLateSignedDifferences, knownSignedDifferences } from './known-signed-differences.ts';
import { decodeMessage, encodeQuery, type Message, type Query } from './message.ts';
import { addressSetsOf } from './address-sets.ts';
import type { TestZone } from './test-zone.ts';

/** Answers over UDP fit into one frame (RFC 9715 section 3.1); all servers are configured accordingly. */
const UDP_PAYLOAD_BYTES = 1232;

/** With fewer servers, their agreement may still be a known difference. In signed zones, PowerDNS is judged by itself. */
const ALL_SERVERS = 4;
const ALL_SIGNED_SERVERS = 3;
const POWERDNS = 'powerdns';

export interface Answers {
  /** By server; undefined if no answer came. */
  readonly peers: ReadonlyMap<string, Buffer | undefined>;
  readonly own: Buffer | undefined;
  /** Our answer to the same question over TCP. */
  readonly whole: Buffer | undefined;
}

export interface Verdict {
  readonly problems: readonly string[];
  /** The known differences that occurred. */
  readonly met: readonly string[];
}

/** @param zones all zones on the servers: additional records may come from any of them */
export function judge(query: Query, zone: TestZone, zones: readonly TestZone[], answers: Answers): Verdict {
  if (answers.own === undefined || answers.whole === undefined)
    return { problems: ['we gave no answer'], met: [] };
  const own = decodeMessage(answers.own);
  const whole = decodeMessage(answers.whole);
  const ours = comparable(own, query, zone);
  const theirs = new Map<string, ComparableAnswer>();
  const problems = checkMessage(own, query);
  for (const [name, bytes] of answers.peers) {
    if (bytes === undefined) problems.push(`${name} gave no answer`);
    else theirs.set(name, comparable(decodeMessage(bytes), query, zone));
  }
  const powerdns = zone.denial === undefined ? undefined : theirs.get(POWERDNS);
  if (powerdns !== undefined) theirs.delete(POWERDNS);
  const met: string[] = [];
  for (const aspect of aspects) {
    const facts = { aspect, query, zone, zones, ours, whole, limitBytes: limitOf(query), theirs };
    const found = [
      judgeAspect(facts, met),
      ...(powerdns === undefined ? [] : [judgePowerdns(facts, powerdns, met)]),
    ];
    problems.push(...found.filter((problem) => problem !== undefined));
  }
  problems.push(...checkAdditional(query, zone, zones, ours, [...theirs.values()]));
  if (asksForAnySet(query))
    problems.push(...checkAny(query, ours, whole, comparable(whole, query, zone), theirs.get('bind')));
  return { problems, met };
}

function judgeAspect(facts: Case, met: string[]): string | undefined {
  const { aspect, ours, theirs } = facts;
  const isHeader = aspect === 'aa' || aspect === 'tc';
  if (!isHeader && ours.isTruncated) return undefined;
  // For a truncated answer only the flags are compared; otherwise truncated answers are ignored.
  const judges = [...theirs].filter(([, { isTruncated }]) => isHeader || !isTruncated);
  const values = new Set(judges.map(([, answer]) => answer[aspect]));
  if (values.size === 0 || (values.size === 1 && values.has(ours[aspect]))) return undefined;
  const rows =
    facts.zone.denial === undefined
      ? knownDifferences
      : [...knownSignedDifferences, ...knownDifferences, ...knownLateSignedDifferences];
  const known = rows.find((difference) => difference.applies(facts));
  // Compression is optional (RFC 1035 section 4.1.4), so servers may differ in whether an answer fits.
  const isConsensus = values.size === 1 && aspect !== 'tc' && judges.length === serversOf(facts.zone);
  if (isConsensus || (values.size === 1 && known === undefined))
    return `${aspect}: they agree, and we do not`;
  if (known === undefined) {
    const sides = formatSides(new Map([...judges, ['we', ours]]), aspect);
    return `${aspect}: no known difference decides: ${sides}`;
  }
  met.push(`${known.title} (${known.reference})`);
  return known.isRight(facts)
    ? undefined
    : `${aspect}: we are on the wrong side: ${known.title} (${known.reference})`;
}

/**
 * In a signed zone, an answer of PowerDNS equals ours, which the others have judged, or a known difference explains it. Its
 * differences are many: among the servers above, they would hide what the others agree on.
 */
function judgePowerdns(facts: Case, powerdns: ComparableAnswer, met: string[]): string | undefined {
  const { aspect, ours } = facts;
  if (powerdns[aspect] === ours[aspect]) return undefined;
  if (aspect !== 'aa' && aspect !== 'tc' && (ours.isTruncated || powerdns.isTruncated)) return undefined;
  const known = knownPowerdnsDifferences.find((difference) => difference.applies(facts, powerdns));
  if (known === undefined) return `${aspect}: no known difference explains PowerDNS`;
  met.push(`${known.title} (${known.reference})`);
  return undefined;
}

function serversOf({ denial }: TestZone): number {
  return denial === undefined ? ALL_SERVERS : ALL_SIGNED_SERVERS;
}

/** Groups the servers by equal answers: `bind = knot | nsd = we`. */
function formatSides(answers: ReadonlyMap<string, ComparableAnswer>, aspect: Aspect): string {
  const sides = new Map<string, string[]>();
  for (const [name, answer] of answers)
    sides.set(answer[aspect], [...(sides.get(answer[aspect]) ?? []), name]);
  return [...sides.values()].map((names) => names.join(' = ')).join(' | ');
}

/** Checks each of our messages by itself. */
function checkMessage(own: Message, query: Query): string[] {
  const problems = own.problems.map((problem) => `our message: ${problem}`);
  const sent = encodeQuery(query);
  if (!own.question.equals(sent.subarray(12, 12 + own.question.length)))
    problems.push('our answer does not repeat the question exactly (RFC 1035 section 4.1.1)');
  if (own.hasEdns !== (query.ednsBytes !== undefined))
    problems.push('EDNS is answered exactly where it was asked with (RFC 6891 section 7)');
  if (own.dnssecOk !== (query.dnssecOk === true))
    problems.push('the DO bit is not copied (RFC 3225 section 3)');
  if (own.ra) problems.push('RA is set, and we do not recurse');
  const limit = limitOf(query);
  if (own.bytes > limit) problems.push(`our answer has ${own.bytes} octets, the limit is ${limit}`);
  return problems;
}

function limitOf({ tcp, ednsBytes }: Query): number {
  return tcp ? 65_535 : Math.min(UDP_PAYLOAD_BYTES, Math.max(512, ednsBytes ?? 512));
}

/**
 * Additional records are optional, but those present must be complete and correct; records that all others add we must
 * add too, if there is room. All except PowerDNS also add addresses from a wildcard: without its proof, which belongs to
 * the authority section (RFC 4035 section 3.1.3.3), a resolver cannot validate them.
 */
function checkAdditional(
  query: Query,
  zone: TestZone,
  zones: readonly TestZone[],
  ours: ComparableAnswer,
  theirs: readonly ComparableAnswer[],
): string[] {
  const isStored = (set: string): boolean => zones.some((each) => addressSetsOf(each).has(set));
  const untrue = ours.extras.filter((set) => !isStored(set));
  const whole = theirs.filter(({ isTruncated }) => !isTruncated);
  const added = [...new Set(whole.flatMap(({ extras }) => extras))];
  const agreed = added.filter((set) => isStored(set) && whole.every(({ extras }) => extras.includes(set)));
  const missing =
    query.tcp && theirs.length === serversOf(zone) ? agreed.filter((set) => !ours.extras.includes(set)) : [];
  return [
    ...untrue.map((set) => `additional: this is no whole set of the zone: ${set}`),
    ...missing.map((set) => `additional: all others add ${set}`),
  ];
}

/**
 * Answers to ANY: all sets over TCP, a subset over UDP (RFC 8482 section 4.1). Judged by BIND: the others answer with a
 * subset themselves, or follow aliases. BIND follows loops further than we do, and chains less far: then one answer has
 * the sets of the other (`known-differences.ts`).
 */
function checkAny(
  query: Query,
  ours: ComparableAnswer,
  whole: Message,
  wholeSets: ComparableAnswer,
  bind: ComparableAnswer | undefined,
): string[] {
  const problems: string[] = [];
  if (ours.anySets.some((set) => !wholeSets.anySets.includes(set)))
    problems.push('answer to ANY: contains data that is missing over TCP');
  if (!ours.isTruncated && ours.anySets.length === 0 && wholeSets.anySets.length > 0)
    problems.push('answer to ANY: empty although there is data');
  if (!query.tcp || bind === undefined) return problems;
  const [own, other] = [plainSets(ours.anySets), plainSets(bind.anySets)];
  const hasAll = own.every((set) => other.includes(set));
  const isAll = other.every((set) => own.includes(set));
  if (isFollowedDifferently(whole) ? !hasAll && !isAll : !hasAll || !isAll)
    problems.push('answer to ANY: over TCP, BIND returns other sets');
  return problems;
}

/**
 * The sets without signatures and records of denial, which BIND has in answers to ANY even if DO is not set. Signatures of
 * the zone's own sets are compared in answers to other queries.
 */
function plainSets(sets: readonly string[]): string[] {
  const plain = sets.filter((set) => !/^\S+ (NSEC|RRSIG) /.test(set));
  return plain.map((set) => set.replace(/ signed: .*/, ''));
}
