// Reads of the trail, and their conditions in SQL.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { NumberedTrailEntry } from '../model/trail-entry.ts';
import { authorOfUser } from '../model/user.ts';
import type { TextConditions } from './record-filter.ts';
import { MAX_SHORT_CHANGES } from './short-reads.ts';
import type { BoundedPage } from './bounded-page.ts';
import type { PageRequest } from './page.ts';
import { toTrailEntry, TRAIL_COLUMNS, type TrailRow } from './trail-columns.ts';

/** All given conditions must hold. */
export interface TrailFilter {
  /** Absent: of all accounts. Empty: what only operators see. */
  readonly accountId?: string | undefined;
  /** An action, or the first part of several with the dot that follows it. */
  readonly action?: string | undefined;
  /** The id of a key or user, or as in the entry. */
  readonly actor?: string | undefined;
  readonly object?: string | undefined;
  readonly address?: string | undefined;
  /** The first millisecond. */
  readonly fromMs?: number | undefined;
  /** The first millisecond that is too late. */
  readonly untilMs?: number | undefined;
}

/** Some entries, and the place after them. */
export interface TrailSlice {
  readonly entries: readonly NumberedTrailEntry[];
  /** Null: there are no more. */
  readonly next: TrailPlace | null;
}

/** A slice begins with the first entry at or after its place. */
export interface TrailPlace {
  readonly atMs: number;
  readonly id: number;
}

/** So many entries are looked at for a slice: a few milliseconds and half a megabyte. */
export const TRAIL_SLICE_ROWS = 500;

export type TrailPage = BoundedPage<NumberedTrailEntry>;

/** The reads run as long reads do, in the name of an account. They reject with StoreUnavailable and StoreBusy. */
export interface TrailReads {
  /**
   * Latest first; the key is `atMs`, a dot and the id. A page looks at `TRAIL_PAGE_ENTRIES` at most: it may have fewer entries than
   * it could, or none, and others follow. `total` counts those among the latest `TRAIL_PAGE_ENTRIES`.
   */
  list(readerId: string, filter: TrailFilter, page: PageRequest, getSignal?: GetSignal): Promise<TrailPage>;
  /** Earliest first. A slice may be empty, and others follow. */
  slice(readerId: string, filter: TrailFilter, from: TrailPlace, getSignal?: GetSignal): Promise<TrailSlice>;
  /** The octets of the trail of an account. */
  octets(accountId: string): Promise<number>;
}

/** A read of the trail as SQL. The parameters of `scope` come first. */
export interface TrailQuery {
  /** Finds the entries of the accounts, by an index on their time. */
  readonly scope: string;
  readonly scopeValues: readonly string[];
  /** Finds those that the filter shows. */
  readonly shown: string;
  readonly shownValues: readonly (string | number)[];
  readonly fromMs: number;
  readonly untilMs: number;
}

export function describeTrailRead(filter: TrailFilter, engine: TextConditions): TrailQuery {
  const { accountId, action, actor, object, address, fromMs, untilMs } = filter;
  const scopeValues = accountId === undefined ? [] : [accountId];
  const conditions: string[] = [];
  const shownValues: (string | number)[] = [];
  const add = (value: string | number): string => engine.mark(scopeValues.length + shownValues.push(value));
  if (action?.endsWith('.') === true) conditions.push(engine.startsWith('action', add(action)));
  else if (action !== undefined) conditions.push(`action = ${add(action)}`);
  if (actor !== undefined) conditions.push(`(actor = ${add(actor)} OR actor = ${add(authorOfUser(actor))})`);
  if (object !== undefined) conditions.push(`object = ${add(object)}`);
  if (address !== undefined) conditions.push(`address = ${add(address)}`);
  if (fromMs !== undefined) conditions.push(`at >= ${add(fromMs)}`);
  if (untilMs !== undefined) conditions.push(`at < ${add(untilMs)}`);
  return {
    scope: accountId === undefined ? 'true' : `account_id = ${engine.mark(1)}`,
    scopeValues,
    shown: conditions.length === 0 ? 'true' : conditions.join(' AND '),
    shownValues,
    fromMs: fromMs ?? 0,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
  };
}

export type SliceRow = [isShown: number, ...row: TrailRow];

/**
 * Reads the entries of a slice and one more, also those that the filter does not show, so that a slice takes the same time
 * whatever it shows. The last parameters are the place and the end.
 */
export function sliceQuery(
  { scope, scopeValues, shown, shownValues }: TrailQuery,
  table: string,
  engine: TextConditions,
): string {
  const before = scopeValues.length + shownValues.length;
  const [at, id, until] = [1, 2, 3].map((place) => engine.mark(before + place));
  return `
    SELECT ${shown}, id, ${TRAIL_COLUMNS} FROM (
      SELECT id, ${TRAIL_COLUMNS} FROM ${table} WHERE ${scope} AND (at, id) >= (${at}, ${id}) AND at < ${until}
      ORDER BY at, id LIMIT ${TRAIL_SLICE_ROWS + 1}) AS step
    ORDER BY at, id`;
}

/** The parameters of `sliceQuery`. */
export function sliceValues(query: TrailQuery, { atMs, id }: TrailPlace): readonly (string | number)[] {
  const { scopeValues, shownValues, fromMs, untilMs } = query;
  const isInside = atMs >= fromMs;
  return [...scopeValues, ...shownValues, isInside ? atMs : fromMs, isInside ? id : 0, untilMs];
}

export function toTrailSlice(rows: readonly SliceRow[]): TrailSlice {
  const [, ...row] = rows.at(TRAIL_SLICE_ROWS) ?? [false];
  const next = row.length === 0 ? null : toTrailEntry(row);
  const shown = rows.slice(0, TRAIL_SLICE_ROWS).filter(([isShown]) => isShown);
  return {
    entries: shown.map(([, ...found]) => toTrailEntry(found)),
    next: next && { atMs: next.atMs, id: next.id },
  };
}

/** Counts the entries of the scope to one more than a short read has. */
export function weightQuery({ scope }: TrailQuery, table: string): string {
  return `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${scope} LIMIT ${MAX_SHORT_CHANGES + 1}) AS weighed`;
}
