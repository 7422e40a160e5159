import { decodeCharacterStrings } from '../../dns/character-strings.ts';
import { rrType } from '../../dns/codes.ts';
import type { MessageRecord } from '../../dns/message.ts';
import { formatQuoted } from '../../dns/character-strings.ts';
import { canonicalRdata, formatRdata } from '../../dns/rdata/rdata.ts';

/** What one side has and the other has not; both empty: they are the same. */
export interface RrsetDifference {
  readonly here: readonly string[];
  readonly there: readonly string[];
}

/**
 * Compares two sets as data: order, the case of names and how TXT content is cut into strings do not count, nor do TTLs
 * unless they are asked for.
 */
export function compareRrsets(
  here: readonly MessageRecord[],
  there: readonly MessageRecord[],
  hasTtl: boolean,
): RrsetDifference {
  const [ours, theirs] = [contentsOf(here), contentsOf(there)];
  const difference = {
    here: [...ours].filter((content) => !theirs.has(content)),
    there: [...theirs].filter((content) => !ours.has(content)),
  };
  const isSame = difference.here.length + difference.there.length === 0;
  if (!hasTtl || !isSame || ours.size === 0 || lowestTtl(here) === lowestTtl(there)) return difference;
  return { here: [`TTL ${lowestTtl(here)}`], there: [`TTL ${lowestTtl(there)}`] };
}

function contentsOf(records: readonly MessageRecord[]): ReadonlySet<string> {
  return new Set(records.map(formatContent).sort());
}

function formatContent({ type, rdata }: MessageRecord): string {
  if (type === rrType.TXT || type === rrType.SPF) return formatQuoted(decodeCharacterStrings(rdata));
  return formatRdata(type, canonicalRdata(type, rdata));
}

/** RFC 2181 section 5.2: of a set with several TTLs the lowest counts. */
function lowestTtl(records: readonly MessageRecord[]): number {
  return records.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity);
}
