import type { OwnerKey } from '../../model/record.ts';
import type { NamedRecord, NameReader } from './explanation.ts';

/**
 * Names that one explanation reads: those from a name of 127 labels up to the apex, or a few for each of 17 names on the
 * longest chain of aliases. Each is a read of an index.
 */
export const MAX_NAMES_READ = 200;

/**
 * Records that all these names have together: an answer with more than some thousand addresses does not fit into a message.
 * Reading so many, without their data, takes some milliseconds.
 */
export const MAX_RECORDS_READ = 2000;

/** Looks for names below names: seven find the closest encloser among 127 labels. Some questions have several names. */
export const MAX_LOOKS_BELOW = 16;

/** Thrown where an explanation would read too much; `explainAnswer` says so. */
export class TooMuchToRead extends Error {}

/** A reader that remembers what was read of each name, and ends where that is too much. */
export interface LimitedNames {
  recordsAt(owner: OwnerKey): Promise<readonly NamedRecord[]>;
  hasNamesBelow(owner: OwnerKey): Promise<boolean | undefined>;
}

/** The names of one explanation, which are read one after the other. */
export function limitNames(reader: NameReader): LimitedNames {
  const records = new Map<OwnerKey, Promise<readonly NamedRecord[]>>();
  const below = new Map<OwnerKey, Promise<boolean | undefined>>();
  let left = MAX_RECORDS_READ;
  const readRecords = async (owner: OwnerKey): Promise<readonly NamedRecord[]> => {
    const found = await reader.recordsAt(owner, left + 1);
    left -= found.length;
    if (left < 0) throw new TooMuchToRead();
    return found;
  };
  return {
    recordsAt: (owner) => remember(records, owner, MAX_NAMES_READ, () => readRecords(owner)),
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
  if (known.size >= limit) throw new TooMuchToRead();
  const reading = read();
  known.set(owner, reading);
  return reading;
}
