/**
 * Asks two nameservers the same questions and compares their answers name by name. Knows nothing of the service: it
 * compares what the public sees.
 */
import { rrType } from '../../dns/codes.ts';
import { equalDomainNames, formatDomainName, type DomainName } from '../../dns/name.ts';
import { formatRecordType } from '../../dns/rdata/record-type-registry.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { askName, askRrset, type RrsetAnswer } from '../../dns-client/ask-rrset.ts';
import { QUESTIONS_AT_ONCE, type DnsClient } from '../../dns-client/dns-client.ts';
import { DnsFailure } from '../../dns-client/dns-failure.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import { formatServerAddress } from '../../dns-client/server-address.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { compareRrsets, type RrsetDifference } from './compare-rrsets.ts';
import type { NameQuestion } from './zone-questions.ts';

export interface TwoSides {
  readonly here: DnsClient;
  readonly there: DnsClient;
}

export interface CompareOptions {
  readonly hasTtl: boolean;
  /** Count the zone's own NS and SOA records as differences. */
  readonly isStrict: boolean;
}

export interface ZoneComparison {
  readonly names: number;
  readonly differences: readonly FoundDifference[];
  /** Differences of the zone's own NS and SOA records, which are normal when a zone moves. */
  readonly expected: readonly FoundDifference[];
  /** This side has keys; undefined if that question was not answered. */
  readonly isSignedHere: boolean | undefined;
  /** The other side has keys, which validating resolvers expect; undefined if that question was not answered. */
  readonly isSignedThere: boolean | undefined;
  /** The TTL of these keys, in seconds. */
  readonly keyTtlThere: number | undefined;
  /** Names that at least one side did not answer. */
  readonly unanswered: readonly { readonly name: string; readonly failure: DnsFailure }[];
}

export interface FoundDifference extends RrsetDifference {
  readonly name: string;
  readonly type: string;
}

/** Each name takes about eight questions on both sides. */
const NAMES_AT_ONCE = QUESTIONS_AT_ONCE / 4;

/** @throws CommandFailure or DnsFailure if a side does not serve the zone at all */
export async function compareZones(
  sides: TwoSides,
  zone: DomainName,
  questions: readonly NameQuestion[],
  options: CompareOptions,
): Promise<ZoneComparison> {
  const soa = await compareSoa(sides, zone, options);
  const compared = await runConcurrently(questions, NAMES_AT_ONCE, (question) =>
    compareName(sides, question, options),
  );
  const found = [...soa, ...compared.flatMap(({ differences }) => differences)];
  const apex = formatDomainName(zone);
  const [ours, theirs] = await Promise.all([findKeys(sides.here, zone), findKeys(sides.there, zone)]);
  const isExpected = ({ name, type }: FoundDifference): boolean =>
    !options.isStrict && name === apex && (type === 'NS' || type === 'SOA');
  return {
    names: questions.length,
    differences: found.filter((difference) => !isExpected(difference)),
    expected: found.filter(isExpected),
    isSignedHere: ours && ours.length > 0,
    isSignedThere: theirs && theirs.length > 0,
    keyTtlThere: theirs?.at(0)?.ttl,
    unanswered: compared.flatMap(({ unanswered }) => unanswered),
  };
}

async function findKeys(client: DnsClient, zone: DomainName): Promise<RrsetAnswer['records'] | undefined> {
  try {
    return (await askRrset(client, zone, rrType.DNSKEY)).records;
  } catch (error) {
    if (error instanceof DnsFailure) return undefined;
    throw error;
  }
}

async function compareSoa(
  { here, there }: TwoSides,
  zone: DomainName,
  { hasTtl }: CompareOptions,
): Promise<readonly FoundDifference[]> {
  const [ours, theirs] = await Promise.all([askSoa(here, zone), askSoa(there, zone)]);
  return describeDifference(zone, rrType.SOA, compareRrsets(ours.records, theirs.records, hasTtl));
}

async function askSoa(client: DnsClient, zone: DomainName): Promise<RrsetAnswer> {
  const soa = await askRrset(client, zone, rrType.SOA);
  if (soa.records.some(({ owner }) => equalDomainNames(owner, zone))) return soa;
  const server = formatServerAddress(client.server);
  throw new CommandFailure(exitCodes.notFound, `${server} does not serve ${formatDomainName(zone)}`);
}

async function compareName(
  { here, there }: TwoSides,
  { name, types }: NameQuestion,
  { hasTtl }: CompareOptions,
): Promise<Pick<ZoneComparison, 'differences' | 'unanswered'>> {
  try {
    const [ours, theirs] = await Promise.all([askName(here, name, types), askName(there, name, types)]);
    const differences = types.flatMap((type) => {
      const difference = compareRrsets(recordsOf(ours, type), recordsOf(theirs, type), hasTtl);
      return describeDifference(name, type, difference);
    });
    return { differences, unanswered: [] };
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return { differences: [], unanswered: [{ name: formatDomainName(name), failure: error }] };
  }
}

function recordsOf(answers: readonly RrsetAnswer[], type: number): RrsetAnswer['records'] {
  return answers.find((answer) => answer.type === type)?.records ?? [];
}

function describeDifference(
  name: DomainName,
  type: number,
  difference: RrsetDifference,
): readonly FoundDifference[] {
  if (difference.here.length + difference.there.length === 0) return [];
  return [{ name: formatDomainName(name), type: formatRecordType(type), ...difference }];
}
