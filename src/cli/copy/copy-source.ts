import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { PreparedText } from '../zone-text/prepare-zone-text.ts';

/** A source of zones; it is only read. */
export interface CopySource {
  /** For messages: `the nameserver ns1.old-provider.example`. */
  readonly description: string;
  /** Limits of this kind of source, printed before the plan. */
  readonly caution?: string;
  /**
   * @param say prints one sentence about zones that the source has but cannot offer
   * @throws CommandFailure if the source cannot be read at all
   */
  list(say: (sentence: string) => void): Promise<readonly SourceZone[]>;
}

export interface SourceZone {
  /** Lower case, without trailing dot. */
  readonly domain: string;
  /** @throws CommandFailure, DnsFailure, ApiError or UnreachableError; other zones are not affected */
  load(): Promise<LoadedZone>;
}

export interface LoadedZone {
  /** A zone file; the service decides which records it accepts. */
  readonly text: string;
  /** Entries of the source that are not DNS records: its answers differ until somebody replaces them. */
  readonly skipped: readonly SkippedRecord[];
  /** Remarks about records that are copied. */
  readonly notes: readonly string[];
  /** The origins of the lines of the text, if it was put together from several files. */
  readonly places?: PreparedText['places'];
}

export interface SkippedRecord {
  /** In the format of a zone file, as far as possible. */
  readonly record: string;
  /** One sentence. */
  readonly reason: string;
}

/** Selects zones by name. A name that the source does not have becomes a failing zone. */
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

/** If a zone cannot be identified, only this zone fails, under the given name. */
export async function zoneOrFailing(name: string, find: () => Promise<SourceZone>): Promise<SourceZone> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return failingZone(name, error.exitCode, error.message);
  }
}

/** A zone that cannot be loaded; other zones are not affected. */
export function failingZone(domain: string, exitCode: number, sentence: string): SourceZone {
  return { domain, load: () => Promise.reject(new CommandFailure(exitCode, sentence)) };
}
