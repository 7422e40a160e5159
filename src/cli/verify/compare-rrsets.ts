import { formatHex } from '../../dns/hex.ts';
import type { MessageRecord } from '../../dns/message.ts';
import { canonicalRdata, formatRdata } from '../../dns/rdata/rdata.ts';

/** Contents that only one side has; both are empty if the sets are equal. */
export interface RrsetDifference {
  readonly here: readonly string[];
  readonly there: readonly string[];
}

/**
 * Compares the data of two sets octet for octet, except for the order of records and the case of names, which messages
 * do not keep when they compress them (RFC 4034 section 6.2). TTLs are ignored unless requested.
 */
export function compareRrsets(
  here: readonly MessageRecord[],
  there: readonly MessageRecord[],
  hasTtl: boolean,
): RrsetDifference {
  const [ours, theirs] = [contentsOf(here), contentsOf(there)];
  const difference = { here: missingFrom(theirs, ours), there: missingFrom(ours, theirs) };
  const isSame = difference.here.length + difference.there.length === 0;
  if (!hasTtl || !isSame || ours.size === 0 || lowestTtl(here) === lowestTtl(there)) return difference;
  return { here: [`TTL ${lowestTtl(here)}`], there: [`TTL ${lowestTtl(there)}`] };
}

/** The text of each content, by its octets. */
type Contents = ReadonlyMap<string, string>;

function contentsOf(records: readonly MessageRecord[]): Contents {
  const contents = records.map(({ type, rdata }): [octets: string, text: string] => {
    const canonical = canonicalRdata(type, rdata);
    return [formatHex(canonical), formatRdata(type, canonical)];
  });
  return new Map(contents.sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function missingFrom(others: Contents, contents: Contents): readonly string[] {
  return [...contents].filter(([octets]) => !others.has(octets)).map(([, text]) => text);
}

/** The lowest TTL of a set is the valid one (RFC 2181 section 5.2). */
function lowestTtl(records: readonly MessageRecord[]): number {
  return records.reduce((lowest, { ttl }) => Math.min(lowest, ttl), Infinity);
}
