import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** Where zones come from. Never changes anything there. */
export interface CopySource {
  /** `the nameserver ns1.old-provider.example`, for people. */
  readonly description: string;
  /** What such a source cannot know or do, said before the plan. */
  readonly caution?: string;
  /**
   * @param say told of what the source has and does not offer, in one sentence
   * @throws CommandFailure when the source cannot be asked at all
   */
  list(say: (sentence: string) => void): Promise<readonly SourceZone[]>;
}

export interface SourceZone {
  /** Lower case, without trailing dot. */
  readonly domain: string;
  /** @throws CommandFailure, DnsFailure, ApiError or UnreachableError; other zones are not concerned */
  load(): Promise<LoadedZone>;
}

export interface LoadedZone {
  /** A master file; what of it is taken is for the service to say. */
  readonly text: string;
  /** What the source has and DNS has no record for. */
  readonly setAside: readonly SetAsideRecord[];
  /** What a person should know of a record that is taken. */
  readonly notes: readonly string[];
}

export interface SetAsideRecord {
  /** As a master file has it, as far as that goes. */
  readonly record: string;
  /** One sentence. */
  readonly reason: string;
}

/** The zones of those names, and a failing one for each name that the source does not have. */
export function selectZones(
  zones: readonly SourceZone[],
  wanted: readonly string[] | undefined,
  description: string,
): readonly SourceZone[] {
  if (wanted === undefined) return zones;
  const byDomain = new Map<string, SourceZone[]>();
  for (const zone of zones) byDomain.set(zone.domain, [...(byDomain.get(zone.domain) ?? []), zone]);
  return wanted.flatMap(
    (domain) =>
      byDomain.get(domain) ?? [
        failingZone(domain, exitCodes.notFound, `${description} does not have ${domain}`),
      ],
  );
}

/** For a sentence: the first few of many names. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES_SHOWN;
  return names.slice(0, MAX_NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A few tell which are meant. */
const MAX_NAMES_SHOWN = 5;

/** One zone of many: where it cannot be found out what it is, it fails alone, under a name that tells which it was. */
export async function zoneOrFailing(name: string, find: () => Promise<SourceZone>): Promise<SourceZone> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return failingZone(name, error.exitCode, error.message);
  }
}

/** A zone that is known not to load; the others are not concerned. */
export function failingZone(domain: string, exitCode: number, sentence: string): SourceZone {
  return { domain, load: () => Promise.reject(new CommandFailure(exitCode, sentence)) };
}
