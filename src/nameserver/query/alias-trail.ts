/**
 * The names that an answer passed while following aliases, and the DNAMEs on the way: detects loops, and prevents a set
 * from being written twice. One object per thread; never allocates.
 */

import { MAX_NAME_OCTETS } from '../../dns/name.ts';
import type { SetOffset } from '../../zone/image-offsets.ts';
import { isNameOf } from '../../zone/image-table.ts';
import { suffixEquals, type NameScan } from '../../zone/name-scan.ts';
import type { ZoneLookup } from '../../zone/zone-lookup.ts';
import type { ZoneView } from '../../zone/zone-view.ts';

/** Aliases followed inside a zone; the answer to a longer chain ends there. */
export const MAX_ALIASES = 16;

export class AliasTrail {
  /** Aliases followed so far. */
  count = 0;
  private dnameCount = 0;
  private readonly names = new Uint8Array(MAX_ALIASES * MAX_NAME_OCTETS);
  private readonly lengths = new Uint8Array(MAX_ALIASES);
  private readonly dnames = new Int32Array(MAX_ALIASES + 1);

  clear(): void {
    this.count = 0;
    this.dnameCount = 0;
  }

  /**
   * Adds the name that an alias leads to.
   *
   * @returns false, with nothing added, if the answer passed that name before, or after too many aliases
   */
  add(target: NameScan, question: NameScan): boolean {
    if (this.count === MAX_ALIASES) return false;
    if (suffixEquals(target, 0, question.bytes, 0, question.length)) return false;
    for (let i = 0; i < this.count; i++)
      if (suffixEquals(target, 0, this.names, i * MAX_NAME_OCTETS, this.lengths[i])) return false;
    const start = this.count * MAX_NAME_OCTETS;
    for (let i = 0; i < target.length; i++) this.names[start + i] = target.bytes[i];
    this.lengths[this.count++] = target.length;
    return true;
  }

  /** @returns false if the DNAME set is in the answer already */
  addDname(set: SetOffset): boolean {
    if (this.hasDname(set)) return false;
    this.dnames[this.dnameCount++] = set;
    return true;
  }

  /** Whether the set is a DNAME that led here, and so in the answer already. */
  hasDname(set: SetOffset): boolean {
    for (let i = 0; i < this.dnameCount; i++) if (this.dnames[i] === set) return true;
    return false;
  }
}

/** Whether the DNAME that was found leads below its own owner, where it would apply again and again; resolvers follow each step. */
export function growsEndlessly(
  view: ZoneView,
  { node, cutLabel }: ZoneLookup,
  target: NameScan,
  ownerLabels: number,
): boolean {
  const label = target.labels - ownerLabels;
  if (label < cutLabel) return false;
  return isNameOf(view, node, target, label);
}
