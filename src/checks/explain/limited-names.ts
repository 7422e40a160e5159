import type { OwnerKey } from '../../model/record.ts';
import type { NamedRecord, NameReader } from './explanation.ts';

/**
 * Names that one explanation reads: those from a name of 127 labels up to the apex, or a few for each of 17 names on the
 * longest chain of aliases. Each is a read of an index.
 */
export const MAX_NAMES_READ = 200;

/** Looks for names below names: seven find the closest encloser among 127 labels. Some questions have several names. */
export const MAX_LOOKS_BELOW = 16;

/** Thrown where an explanation would read too much; `explainAnswer` says so. */
export class TooManyNames extends Error {}

/** Remembers what was read of each name, and ends where that is too much. */
export function limitNames(reader: NameReader): NameReader {
  const records = new Map<OwnerKey, Promise<readonly NamedRecord[]>>();
  const below = new Map<OwnerKey, Promise<boolean | undefined>>();
  return {
    recordsAt: (owner) => remember(records, owner, MAX_NAMES_READ, () => reader.recordsAt(owner)),
    hasNamesBelow: (owner) => remember(below, owner, MAX_LOOKS_BELOW, () => reader.hasNamesBelow(owner)),
  };
}

async function remember<T>(
  known: Map<OwnerKey, Promise<T>>,
  owner: OwnerKey,
  limit: number,
  read: () => Promise<T>,
): Promise<T> {
  const found = known.get(owner);
  if (found !== undefined) return found;
  if (known.size >= limit) throw new TooManyNames();
  const reading = read();
  known.set(owner, reading);
  return reading;
}
