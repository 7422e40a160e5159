/**
 * Work on the signatures of a domain that has too many names for one write, and how far it is done. The note is a column of
 * the domain. Slices of names follow one another in walks:
 *
 *     sign     owners ─▶ names ─▶ (hashes) ─▶ apex                 the write of the apex makes the zone a signed one
 *     denial              names ─▶ (hashes) ─▶ apex ─▶ rest        both chains exist until the apex has the new one
 *     resign                                           rest        each name by itself: its signatures are of other keys
 *     remove                                           rest        the apex went first: what is left is of no effect
 *
 * `hashes` only for NSEC3. A name that the walk has passed stays complete: later writes sign it as those of any domain.
 */
import { assert } from '../base/assert.ts';
import type { Denial } from '../dns/proven-types.ts';
import { isGeneratedId } from './generated-row.ts';

export type SigningWorkKind = 'sign' | 'denial' | 'resign' | 'remove';

/**
 * - `owners`: gives each owner of several labels a row, so that the next walk meets all names in canonical order.
 * - `names`: signs the names, and makes their NSEC records or the rows of their hashes.
 * - `hashes`: signs the NSEC3 records, in the order of the hashes.
 * - `apex`: the write that is seen.
 * - `rest`: brings all rows in line with the keys and the chain that the domain has now.
 */
export type SigningWalk = 'owners' | 'names' | 'hashes' | 'apex' | 'rest';

export interface SigningWork {
  readonly kind: SigningWorkKind;
  readonly walk: SigningWalk;
  /** The last owner (`owners`) or id of a row that the walk has passed; empty at its beginning. */
  readonly cursor: string;
  /** The chain that is made; null if none is. */
  readonly denial: Denial | null;
  /** Names, or rows of hashes, that the walk has passed. */
  readonly done: number;
  readonly startedAtSeconds: number;
  /** Why it cannot go on, a sentence without a full stop for the owner of the domain; null: it can. */
  readonly problem: string | null;
}

const walksOf: Readonly<Record<SigningWorkKind, readonly SigningWalk[]>> = {
  sign: ['owners', 'names', 'hashes', 'apex'],
  denial: ['names', 'hashes', 'apex', 'rest'],
  resign: ['rest'],
  remove: ['rest'],
};

/** The walks of a kind of work, in order. */
export function walksFor({ kind, denial }: Pick<SigningWork, 'kind' | 'denial'>): readonly SigningWalk[] {
  return walksOf[kind].filter((walk) => walk !== 'hashes' || denial === 'nsec3');
}

export function startWork(
  kind: SigningWorkKind,
  denial: Denial | null,
  startedAtSeconds: number,
): SigningWork {
  const [walk] = walksFor({ kind, denial });
  return { kind, walk, cursor: '', denial, done: 0, startedAtSeconds, problem: null };
}

/** The beginning of the next walk; null after the last one. */
export function nextWalk(work: SigningWork): SigningWork | null {
  const walks = walksFor(work);
  const walk = walks.at(walks.indexOf(work.walk) + 1);
  return walk === undefined ? null : { ...work, walk, cursor: '', done: 0, problem: null };
}

/** How far work is, in names that walks pass. `total` is what is expected. */
export function progressOf(
  work: SigningWork,
  recordCount: number,
): { readonly done: number; readonly total: number } {
  const walks: readonly SigningWalk[] = walksFor(work).filter((walk) => walk !== 'apex');
  const passed = walks.includes(work.walk) ? walks.indexOf(work.walk) : walks.length;
  const done = passed * recordCount + Math.min(work.done, recordCount);
  return { done: Math.min(done, walks.length * recordCount), total: walks.length * recordCount };
}

export function isSameWork(a: SigningWork, b: SigningWork): boolean {
  return formatSigningWork(a) === formatSigningWork(b);
}

/** JSON text for a column of a database. */
export function formatSigningWork(work: SigningWork): string {
  const { kind, walk, cursor, denial, done, startedAtSeconds, problem } = work;
  return JSON.stringify({ kind, walk, cursor, denial, done, startedAtSeconds, problem });
}

/** The opposite of `formatSigningWork`. @throws Error for any other text: only this program writes the column */
export function parseSigningWork(text: string): SigningWork {
  const value: unknown = JSON.parse(text);
  assert(isSigningWork(value), `work on signatures of unknown shape is stored: ${text.slice(0, 256)}`);
  return value;
}

function isSigningWork(value: unknown): value is SigningWork {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, walk, cursor, denial, done, startedAtSeconds, problem } = value as Partial<SigningWork>;
  if (kind === undefined || walk === undefined || typeof cursor !== 'string') return false;
  if (!Object.hasOwn(walksOf, kind) || !walksOf[kind].includes(walk)) return false;
  const isChain = denial === null || denial === 'nsec' || denial === 'nsec3';
  const isPlace = cursor === '' || walk === 'owners' || isGeneratedId(cursor);
  if (problem !== null && typeof problem !== 'string') return false;
  return isChain && isPlace && Number.isSafeInteger(done) && Number.isSafeInteger(startedAtSeconds);
}
