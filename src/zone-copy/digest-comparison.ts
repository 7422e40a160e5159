/**
 * Time between two copies of everything because of a difference that copying did not remove, which only a bug or a store
 * that changes under its own digest can cause.
 */
const RETRY_MS = 60_000;

/** Compares the digest of the copy with that of the database, and says when to copy because they differ. */
export class DigestComparison {
  private readonly nowMs: () => number;
  private unequal = false;
  /** Copies that were due since both were equal. */
  private copies = 0;
  private notBeforeMs = -Infinity;

  constructor(nowMs = () => performance.now()) {
    this.nowMs = nowMs;
  }

  get isUnequal(): boolean {
    return this.unequal;
  }

  /**
   * Returns true if a difference is new.
   *
   * @param there the digest of the database at the position of the copy; null: not known, and so is any difference
   */
  compare(here: string, there: string | null): boolean {
    const wasUnequal = this.unequal;
    this.unequal = there !== null && there !== here;
    if (there === here) this.copies = 0;
    return this.unequal && !wasUnequal;
  }

  /** Says how to copy, if that is due. The first copy reads only zones whose hashes differ. */
  findDue(): { readonly reason: string; readonly trustsHashes: boolean } | undefined {
    if (!this.unequal || this.nowMs() < this.notBeforeMs) return undefined;
    const trustsHashes = this.copies === 0;
    this.copies++;
    this.notBeforeMs = trustsHashes ? -Infinity : this.nowMs() + RETRY_MS;
    this.unequal = false;
    return { reason: 'the digest of the copy differs from that of the database', trustsHashes };
  }
}
