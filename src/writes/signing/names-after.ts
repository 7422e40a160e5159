/**
 * Reads the names of a domain that is signed for the first time, in canonical order. Two sources are merged:
 *
 *     owners of one label    the index of owners: the order of their text is the canonical one
 *     all others             the places that the walk over the owners has made
 */
import { formatLabelKey, topLabelOf } from '../../model/order-key.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { generatedPrefix, signaturesId } from '../../model/generated-row.ts';
import type { OwnerName } from './owner-ids.ts';
import type { FoundOwner } from './signable-domain.ts';
import { compareIds } from './sorted-ids.ts';

/** Looks without a name, because all owners there have several labels, before the slice ends without one: a few milliseconds. */
const MAX_LOOKS = 10;

export interface NamesAfter {
  /** In order. */
  readonly names: readonly OwnerName[];
  /** All names at or before it are in `names`, or before the cursor; undefined: these are all names. */
  readonly upTo: string | undefined;
}

export interface NameSources {
  /** The places with ids after the cursor, with one more than `limit` if there are more. */
  places(cursor: string, limit: number): readonly DomainRecord[];
  ownersAfter(place: string, limit: number): readonly FoundOwner[];
}

/** Whether the owner needs no place. An escape would change the order. */
export function isSingleLabel(owner: OwnerKey): boolean {
  return owner !== APEX && !owner.includes('.') && !owner.includes('\\');
}

/** At most `limit` names after the cursor, which is an id of a row of signatures, or empty. */
export function namesAfter(sources: NameSources, cursor: string, limit: number): NamesAfter {
  const places = sources.places(cursor, limit);
  let upTo: string | undefined = cursor;
  let found: OwnerName[] = [];
  for (let looks = 0; looks < MAX_LOOKS && upTo !== undefined && found.length === 0; looks++) {
    const owners = sources.ownersAfter(textBefore(upTo), limit + 1);
    const last = owners.length > limit ? owners.at(-1) : undefined;
    upTo = last && signaturesId(formatLabelKey(last.owner));
    found = merge(places, owners, upTo);
  }
  if (found.length <= limit) return { names: found, upTo };
  const names = found.slice(0, limit);
  return { names, upTo: names.at(-1)?.id };
}

/** @param upTo names after it are left out */
function merge(
  places: readonly DomainRecord[],
  owners: readonly FoundOwner[],
  upTo: string | undefined,
): OwnerName[] {
  const names: OwnerName[] = [];
  for (const { id, owner } of places) if (upTo === undefined || id <= upTo) names.push({ id, owner });
  const hasPlaces = names.length > 0;
  for (const { owner, isBare } of owners) {
    if (isBare && isSingleLabel(owner)) names.push({ id: signaturesId(formatLabelKey(owner)), owner });
  }
  return hasPlaces ? names.sort((a, b) => compareIds(a.id, b.id)) : names;
}

/** The owners of one label whose rows come after the id are those whose text comes after this one. */
function textBefore(id: string): string {
  const label = topLabelOf(id.slice(generatedPrefix.signatures.length));
  const special = /[^!-~]/.exec(label);
  if (special === null) return label;
  // Owners of one label have no such octets: they are all before it, or after it.
  const common = label.slice(0, special.index);
  return special[0] < '!' ? common : `${common}\x7f`;
}
