/**
 * The names that an answer has come by, following aliases, and the DNAMEs that led there: so that a loop is seen and
 * no set is given twice. One object a thread; never allocates.
 */

import { suffixEquals, type NameScan } from '../../zone/name-scan.ts';

/** Aliases followed inside a zone; longer chains are answered as far as that. */
const MAX_ALIASES = 16;
const MAX_NAME_BYTES = 255;

export class AliasTrail {
  /** Aliases followed so far. */
  count = 0;
  private dnameCount = 0;
  private readonly names = new Uint8Array(MAX_ALIASES * MAX_NAME_BYTES);
  private readonly lengths = new Uint8Array(MAX_ALIASES);
  private readonly dnames = new Int32Array(MAX_ALIASES + 1);

  clear(): void {
    this.count = 0;
    this.dnameCount = 0;
  }

  /**
   * Adds the name that an alias leads to.
   *
   * @returns false, with nothing added, where the way ends: at a name where it has been, or after too many aliases
   */
  add(target: NameScan, question: NameScan): boolean {
    if (this.count === MAX_ALIASES) return false;
    if (suffixEquals(target, 0, question.bytes, 0, question.length)) return false;
    for (let i = 0; i < this.count; i++)
      if (suffixEquals(target, 0, this.names, i * MAX_NAME_BYTES, this.lengths[i])) return false;
    const start = this.count * MAX_NAME_BYTES;
    for (let i = 0; i < target.length; i++) this.names[start + i] = target.bytes[i];
    this.lengths[this.count++] = target.length;
    return true;
  }

  /** @returns false when the DNAME set is in the answer already */
  addDname(set: number): boolean {
    for (let i = 0; i < this.dnameCount; i++) if (this.dnames[i] === set) return false;
    this.dnames[this.dnameCount++] = set;
    return true;
  }
}
