import type { OwnerKey } from '../model/record.ts';
import { isServed } from '../model/withholding.ts';
import type { OwnerContent, ZoneUpdate } from '../model/zone-update.ts';
import type { FeedEntry } from './history.ts';
import type { PendingDomain } from './pending-domain.ts';

/**
 * The most entries of a batch for which the served content is found: each of the commands of a full batch (256) updates a
 * record, which makes two entries. Beyond it followers read from the store, in steps.
 */
export const MAX_SERVED_ENTRIES = 512;

/** The owners of one domain that a batch has changed. */
interface Touched {
  readonly domain: PendingDomain;
  readonly owners: Set<OwnerKey>;
}

/**
 * The content that a batch leaves at each owner that it has changed, as a follower would read it after the commit: its
 * records in creation order, then its generated rows. Reads owners of which only generated rows have changed.
 *
 * @param domainOf finds a domain of the batch
 * @returns undefined if followers must read it themselves: there is too much, or a domain was created, deleted, restored, withheld or
 *   released
 */
export function servedUpdates(
  entries: readonly FeedEntry[],
  domainOf: (id: number) => PendingDomain | undefined,
): ZoneUpdate[] | undefined {
  if (entries.length > MAX_SERVED_ENTRIES) return undefined;
  const touched = new Map<number, Touched>();
  for (const entry of entries) {
    if (!hasServedContent(entry)) return undefined;
    const zone = touched.get(entry.domainId) ?? touch(touched, domainOf(entry.domainId));
    if (zone === undefined) return undefined;
    if (entry.record !== null) zone.owners.add(entry.record.owner);
  }
  const updates: ZoneUpdate[] = [];
  for (const zone of touched.values()) {
    if (isServed(zone.domain.current)) updates.push(updateOf(zone));
  }
  return updates;
}

/** An entry that changes SOA fields carries those before. */
function hasServedContent({ kind, soaBefore }: FeedEntry): boolean {
  return kind === 'recordPut' || kind === 'recordDelete' || (kind === 'domainPut' && soaBefore !== null);
}

function touch(touched: Map<number, Touched>, domain: PendingDomain | undefined): Touched | undefined {
  if (domain === undefined || domain.isDeleted) return undefined;
  const zone = { domain, owners: new Set<OwnerKey>() };
  touched.set(domain.current.id, zone);
  return zone;
}

function updateOf({ domain, owners }: Touched): ZoneUpdate {
  const contents: OwnerContent[] = [];
  for (const owner of owners) {
    contents.push({ owner, records: domain.servedAt(owner) });
  }
  const { id: domainId, name, serial, soaPrimary, soaEmail } = domain.current;
  const head = { domainId, name, serial, soaPrimary, soaEmail };
  return { kind: 'changed', head, created: false, owners: contents };
}
