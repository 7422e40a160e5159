import type { Steps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { sqliteErrorCode } from './sqlite-driver.ts';

/** An entry of the feed, without the record's content. */
export type FeedRow = [
  seq: number,
  kind: string,
  domainId: number,
  domain: ZoneName,
  owner: OwnerKey | null,
  soaBefore: string | null,
  isGenerated: number | null,
];

export interface FeedRows {
  /** In order. */
  changes(after: number, limit: number): readonly FeedRow[];
  /** The seq of the `count`-th change of a domain after a seq; undefined if there are fewer. */
  seqOfLater(domainId: number, after: number, count: number): number | undefined;
  /** Whether the zone is read again as a whole because of its owners that have changed, whatever else has. */
  isReplacedBy(zone: TouchedZone): boolean;
}

/** The effect of a range of the feed on one name. */
export interface TouchedZone {
  readonly name: ZoneName;
  /** The domain of that name that was deleted first; undefined: none was. */
  deletedId: number | undefined;
  /** The domain of that name was created in the range. */
  isCreated: boolean;
  /** The domain of that name was restored in the range: its records have no entries. */
  isRestored: boolean;
  /** The domain that has the name at the end was withheld in the range, or released. */
  isWithheld: boolean;
  isReleased: boolean;
  /** Owners whose records changed in the domain that has the name at the end. */
  readonly owners: Set<OwnerKey>;
  /** Those of which only generated rows changed. */
  readonly generatedAt: Set<OwnerKey>;
}

/** Entries of the feed per step: some 3 ms. */
const CHANGES_PER_STEP = 2000;

/** Entries of one domain that are skipped per step: an index is read, in some 2 ms. */
const SKIPPED_PER_STEP = 32_000;

/**
 * Reads the feed from `after`, exclusive, to `upTo`. Returns undefined if some of its entries are gone.
 *
 * The rows of the domains must be read from the same snapshot.
 */
export function* touchedZones(
  feed: FeedRows,
  after: number,
  upTo: number,
): Steps<readonly TouchedZone[] | undefined> {
  const touched = new Map<ZoneName, TouchedZone>();
  for (let last = after; last !== upTo;) {
    const rows = feed.changes(last, CHANGES_PER_STEP);
    const end = rows.at(-1)?.[0] ?? last;
    // Entries are numbered without gaps, until upkeep removes some of them.
    if (end === last || end - last !== rows.length) return undefined;
    for (const row of rows) note(touched, row);
    last = end === upTo ? end : yield* skipReplaced(feed, touched, rows.at(-1), end);
    if (last !== upTo) yield;
  }
  return [...touched.values()];
}

/**
 * An import is one long run of changes of its domain, while others wait for what comes after it. The rest of the run need not
 * be read once its zone is to be read as a whole. Returns the place to go on after: the last change of a run may delete the
 * domain, and is read.
 */
function* skipReplaced(
  feed: FeedRows,
  touched: ReadonlyMap<ZoneName, TouchedZone>,
  lastRow: FeedRow | undefined,
  after: number,
): Steps<number> {
  const zone = lastRow && touched.get(lastRow[3]);
  if (lastRow === undefined || zone === undefined) return after;
  if (tryToRead(() => feed.isReplacedBy(zone)) !== true) return after;
  let end = after;
  for (let count = SKIPPED_PER_STEP; count >= CHANGES_PER_STEP;) {
    // Entries are numbered without gaps: if as many follow each other, they are all of this domain.
    if (tryToRead(() => feed.seqOfLater(lastRow[2], end, count)) === end + count) {
      end += count;
      yield;
    } else count /= 2;
  }
  return end === after ? after : end - 1;
}

/** Nothing is skipped if the pages for it are damaged, so that they hold up no other zone. */
function tryToRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (sqliteErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function note(touched: Map<ZoneName, TouchedZone>, row: FeedRow): void {
  const [, kind, domainId, name, owner, soaBefore, isGenerated] = row;
  let zone = touched.get(name);
  if (zone === undefined) {
    zone = newZone(name);
    touched.set(name, zone);
  }
  if (kind === 'domainDelete') {
    zone.deletedId ??= domainId;
    zone.isCreated = false;
    zone.isRestored = false;
    zone.isWithheld = false;
    zone.isReleased = false;
    zone.owners.clear();
    zone.generatedAt.clear();
  } else if (kind === 'domainRestore') {
    zone.isRestored = true;
  } else if (kind === 'domainWithhold') {
    zone.isWithheld = true;
  } else if (kind === 'domainRelease') {
    zone.isReleased = true;
  } else if (kind === 'domainPut') {
    // An entry that changes SOA fields carries those before.
    zone.isCreated ||= soaBefore === null;
  } else if (owner !== null) {
    if (isGenerated !== 1) zone.generatedAt.delete(owner);
    else if (!zone.owners.has(owner)) zone.generatedAt.add(owner);
    zone.owners.add(owner);
  }
}

function newZone(name: ZoneName): TouchedZone {
  const none = {
    deletedId: undefined,
    isCreated: false,
    isRestored: false,
    isWithheld: false,
    isReleased: false,
  };
  return { name, ...none, owners: new Set(), generatedAt: new Set() };
}
