/** A use within so many seconds of a noted one is not noted. */
export const KEY_USE_SECONDS = 600;

/** About 100 bytes each: 10 MB. More keys than that in ten minutes are noted more often. */
const MAX_KNOWN = 100_000;

export interface KeyUse {
  readonly keyId: string;
  readonly atSeconds: number;
}

/** Collects which keys are used, so that the store is written to once in a while and not for each request. */
export class KeyUses {
  private readonly known = new Map<string, number>();
  private waiting = new Map<string, number>();

  note(keyId: string, atSeconds: number): void {
    const before = this.known.get(keyId);
    if (before !== undefined && atSeconds < before + KEY_USE_SECONDS && atSeconds >= before) return;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(keyId, atSeconds);
    if (this.waiting.size < MAX_KNOWN) this.waiting.set(keyId, atSeconds);
  }

  /** Returns the uses since the last call, in parts of at most `limit`. */
  take(limit: number): readonly (readonly KeyUse[])[] {
    const uses = Array.from(this.waiting, ([keyId, atSeconds]) => ({ keyId, atSeconds }));
    this.waiting = new Map();
    const parts: KeyUse[][] = [];
    for (let at = 0; at < uses.length; at += limit) parts.push(uses.slice(at, at + limit));
    return parts;
  }
}
