/** A use within so many seconds of a noted one is not noted. */
export const USE_SECONDS = 600;

/** About 100 bytes each: 10 MB. More keys or sessions than that in ten minutes are noted more often. */
const MAX_KNOWN = 100_000;

export interface UseTime {
  /** The id of a key or a session. */
  readonly id: string;
  readonly atSeconds: number;
}

/** Collects which keys or sessions are used, so that the store is written to once in a while and not for each request. */
export class UseTimes {
  private readonly known = new Map<string, number>();
  private waiting = new Map<string, number>();

  note(id: string, atSeconds: number): void {
    const before = this.known.get(id);
    if (before !== undefined && atSeconds < before + USE_SECONDS && atSeconds >= before) return;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(id, atSeconds);
    if (this.waiting.size < MAX_KNOWN) this.waiting.set(id, atSeconds);
  }

  /** Returns the uses since the last call, in parts of at most `limit`. */
  take(limit: number): readonly (readonly UseTime[])[] {
    const uses = Array.from(this.waiting, ([id, atSeconds]) => ({ id, atSeconds }));
    this.waiting = new Map();
    const parts: UseTime[][] = [];
    for (let at = 0; at < uses.length; at += limit) parts.push(uses.slice(at, at + limit));
    return parts;
  }
}
