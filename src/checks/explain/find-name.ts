/**
 * Finds the records that answer for a name, in the order of the nameserver (RFC 1034 section 4.3.2):
 *
 *     apex ─▶ … ─▶ name: delegation or DNAME on the way │ own records │ empty non-terminal │ wildcard │ no such name
 */
import { rrType } from '../../dns/codes.ts';
import { splitLabels } from '../../dns/split-labels.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ExplainedQuestion, NamedRecord } from './explanation.ts';
import type { LimitedNames } from './limited-names.ts';

export type FoundName =
  | {
      readonly kind: 'delegation' | 'dname';
      readonly cut: OwnerKey;
      readonly records: readonly NamedRecord[];
    }
  | { readonly kind: 'name'; readonly records: readonly NamedRecord[] }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'wildcard' | 'none';
      readonly encloser: OwnerKey;
      readonly records: readonly NamedRecord[];
    }
  | { readonly kind: 'unknown' };

export async function findName({ owner, type }: ExplainedQuestion, reader: LimitedNames): Promise<FoundName> {
  const labels = owner === APEX ? [] : splitLabels(owner);
  const above = (removed: number): OwnerKey => labels.slice(removed).join('.') as OwnerKey;
  /** Labels to remove for the lowest name above that is known to exist: the apex always does. */
  let known = labels.length;
  for (let removed = labels.length; removed >= 0; removed--) {
    const cut = above(removed);
    const records = await reader.recordsAt(cut);
    const has = (wanted: number): boolean => records.some((record) => record.type === wanted);
    // The parent's side of a zone cut answers for DS (RFC 4035 section 3.1.4.1).
    if (cut !== APEX && has(rrType.NS) && (removed > 0 || type !== rrType.DS))
      return { kind: 'delegation', cut, records };
    if (removed > 0 && has(rrType.DNAME)) return { kind: 'dname', cut, records };
    if (removed === 0 && (records.length > 0 || cut === APEX)) return { kind: 'name', records };
    if (records.length > 0) known = removed;
  }
  const isThere = await reader.hasNamesBelow(owner);
  if (isThere === true) return { kind: 'empty' };
  if (isThere === undefined) return { kind: 'unknown' };
  const removed = await findEncloser(above, known, reader);
  return removed === undefined ? { kind: 'unknown' } : findWildcard(above(removed), reader);
}

/**
 * Returns how many labels to remove for the closest encloser (RFC 4592 section 3.3.1). Each name above one that exists exists
 * as well, so that half of the names are left after each look.
 */
async function findEncloser(
  above: (removed: number) => OwnerKey,
  known: number,
  reader: LimitedNames,
): Promise<number | undefined> {
  let [missing, present] = [0, known];
  while (present - missing > 1) {
    const middle = Math.floor((missing + present) / 2);
    const isThere = await reader.hasNamesBelow(above(middle));
    if (isThere === undefined) return undefined;
    if (isThere) present = middle;
    else missing = middle;
  }
  return present;
}

async function findWildcard(encloser: OwnerKey, reader: LimitedNames): Promise<FoundName> {
  const wildcard = wildcardBelow(encloser);
  const records = await reader.recordsAt(wildcard);
  if (records.length > 0) return { kind: 'wildcard', encloser, records };
  // A wildcard that only has names below it answers as well, with nothing (RFC 4592 section 2.2.2).
  const isThere = await reader.hasNamesBelow(wildcard);
  if (isThere === undefined) return { kind: 'unknown' };
  return { kind: isThere ? 'wildcard' : 'none', encloser, records };
}

export function wildcardBelow(encloser: OwnerKey): OwnerKey {
  return (encloser === APEX ? '*' : `*.${encloser}`) as OwnerKey;
}
