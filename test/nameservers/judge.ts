// Judges our answer to one question by those of the others: where they agree, we agree; where they differ, a known difference says
// which of them the RFC bears out, and we must be on that side.

import { aspects, comparable, type Aspect, type ComparableAnswer } from './comparable-answer.ts';
import { knownDifferences, type Case } from './known-differences.ts';
import { decodeMessage, encodeQuery, type Message, type Query } from './message.ts';
import { ownSets } from './own-sets.ts';
import type { TestZone } from './test-zone.ts';

export interface Answers {
  /** By server; undefined: no answer came. */
  readonly peers: ReadonlyMap<string, Buffer | undefined>;
  readonly own: Buffer | undefined;
  /** Our answer to the same question over TCP. */
  readonly whole: Buffer | undefined;
}

export interface Verdict {
  readonly problems: readonly string[];
  /** Titles of the known differences that were met. */
  readonly met: readonly string[];
}

export function judge(query: Query, zone: TestZone, zones: readonly TestZone[], answers: Answers): Verdict {
  if (answers.own === undefined || answers.whole === undefined)
    return { problems: ['we gave no answer'], met: [] };
  const own = decodeMessage(answers.own);
  const theirs = new Map<string, ComparableAnswer>();
  const problems = checkMessage(own, query);
  for (const [name, bytes] of answers.peers) {
    if (bytes === undefined) problems.push(`${name} gave no answer`);
    else theirs.set(name, comparable(decodeMessage(bytes), query, zone));
  }
  const ours = comparable(own, query, zone);
  const whole = decodeMessage(answers.whole);
  const met: string[] = [];
  for (const aspect of aspects) {
    const problem = judgeAspect({ aspect, query, ours, whole, limitBytes: limitOf(query), theirs }, met);
    if (problem !== undefined) problems.push(problem);
  }
  problems.push(...checkExtras(query, zones, ours, theirs));
  return { problems, met };
}

function judgeAspect(facts: Case, met: string[]): string | undefined {
  const { aspect, ours, theirs } = facts;
  const isSection = aspect === 'answer' || aspect === 'authority' || aspect === 'glue';
  if (isSection && ours.tc === 'true') return undefined;
  // Of a truncated answer there are no sections to compare; the others are then compared among themselves.
  const judges = [...theirs].filter(([, { tc }]) => !isSection || tc === 'false');
  const values = new Set(judges.map(([, answer]) => answer[aspect]));
  if (values.size === 0 || (values.size === 1 && values.has(ours[aspect]))) return undefined;
  if (values.size === 1) return `${aspect}: they agree, and we do not`;
  const known = knownDifferences.find((difference) => difference.applies(facts));
  if (known === undefined) {
    const sides = formatSides(new Map([...judges, ['we', ours]]), aspect);
    return `${aspect}: nobody says who is right: ${sides}`;
  }
  met.push(`${known.title} (${known.reference})`);
  return known.isRight(facts)
    ? undefined
    : `${aspect}: we are on the wrong side of a known difference: ${known.title} (${known.reference})`;
}

/** Who gave the same: `bind = knot | nsd = we`. */
function formatSides(answers: ReadonlyMap<string, ComparableAnswer>, aspect: Aspect): string {
  const sides = new Map<string, string[]>();
  for (const [name, answer] of answers)
    sides.set(answer[aspect], [...(sides.get(answer[aspect]) ?? []), name]);
  return [...sides.values()].map((names) => names.join(' = ')).join(' | ');
}

/** What every message of ours must be by itself. */
function checkMessage(own: Message, query: Query): string[] {
  const problems = own.problems.map((problem) => `our message: ${problem}`);
  const sent = encodeQuery(query);
  if (!own.question.equals(sent.subarray(12, 12 + own.question.length)))
    problems.push('our question is not the one asked, letter by letter (RFC 1035 section 4.1.1)');
  if (own.hasEdns !== (query.ednsBytes !== undefined))
    problems.push('EDNS is answered exactly where it was asked with (RFC 6891 section 7)');
  if (own.ra) problems.push('RA is set, and we do not recurse');
  const limit = limitOf(query);
  if (own.bytes > limit) problems.push(`our answer has ${own.bytes} octets, the limit is ${limit}`);
  return problems;
}

/** Octets of the largest answer: the client's word, and no more than one frame (RFC 9715 section 3.2). */
function limitOf({ tcp, ednsBytes }: Query): number {
  return tcp ? 65_535 : Math.min(1232, Math.max(512, ednsBytes ?? 512));
}

/** Additional records are not owed, but what comes is whole and true; and what all others add we add too, where there is room. */
function checkExtras(
  query: Query,
  zones: readonly TestZone[],
  ours: ComparableAnswer,
  theirs: ReadonlyMap<string, ComparableAnswer>,
): string[] {
  const problems: string[] = [];
  const present = zones.flatMap((each) => [...ownSets(each)]);
  for (const set of ours.extras)
    if (!present.includes(set)) problems.push(`additional: not a whole set of the zone: ${set}`);
  const untruncated = [...theirs.values()].filter(({ tc }) => tc === 'false');
  if (query.type === 'ANY') {
    // PowerDNS follows aliases and gives records of type 0 (see the known differences); NSD and Knot follow DNAMEs.
    const anyJudges = [...theirs].filter(([name, { tc }]) => tc === 'false' && name === 'bind');
    const all = anyJudges.flatMap(([, { anySets }]) => anySets);
    for (const set of ours.anySets)
      if (!all.includes(set)) problems.push(`answer to ANY: nobody else has ${set}`);
    if (ours.tc === 'false' && ours.anySets.length === 0 && all.length > 0)
      problems.push('answer to ANY: empty, where others have something');
    if (query.tcp)
      for (const set of all)
        if (!ours.anySets.includes(set)) problems.push(`answer to ANY: over TCP ${set} is missing`);
  } else if (ours.tc === 'false' && query.tcp) {
    const [first, ...others] = untruncated;
    const agreed = (first?.extras ?? []).filter((set) => others.every(({ extras }) => extras.includes(set)));
    for (const set of agreed)
      if (!ours.extras.includes(set)) problems.push(`additional: all others add ${set}`);
  }
  return problems;
}
