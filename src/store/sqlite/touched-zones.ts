import type { Steps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';

/** An entry of the feed, without the record's content. */
export type FeedRow = [
  seq: number,
  kind: string,
  domainId: number,
  domain: ZoneName,
  owner: OwnerKey | null,
  soaBefore: string | null,
];

export interface FeedRows {
  /** In order. */
  changes(after: number, limit: number): readonly FeedRow[];
}

/** The effect of a range of the feed on one name. */
export interface TouchedZone {
  readonly name: ZoneName;
  /** The domain of that name that was deleted first; undefined: none was. */
  deletedId: number | undefined;
  /** The domain of that name was created in the range. */
  isCreated: boolean;
  /** Owners whose records changed in the domain that has the name at the end. */
  readonly owners: Set<OwnerKey>;
}

/** Entries of the feed per step: some 3 ms. */
const CHANGES_PER_STEP = 2000;

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
    last = end;
    if (last !== upTo) yield;
  }
  return [...touched.values()];
}

function note(touched: Map<ZoneName, TouchedZone>, row: FeedRow): void {
  const [, kind, domainId, name, owner, soaBefore] = row;
  let zone = touched.get(name);
  if (zone === undefined) {
    zone = { name, deletedId: undefined, isCreated: false, owners: new Set() };
    touched.set(name, zone);
  }
  if (kind === 'domainDelete') {
    zone.deletedId ??= domainId;
    zone.isCreated = false;
    zone.owners.clear();
  } else if (kind === 'domainPut') {
    // An entry that changes SOA fields carries those before.
    zone.isCreated ||= soaBefore === null;
  } else if (owner !== null) zone.owners.add(owner);
}
