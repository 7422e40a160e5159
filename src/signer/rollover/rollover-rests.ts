/** How long a step in which nothing has changed rests before its servers are asked again: a minute first. */
const FIRST_REST_MS = 60_000;

/** A registrar takes minutes to days; parent zones that are asked six times an hour notice nothing. */
const LONGEST_REST_MS = 600_000;

/** Rests of domains between looks at their servers; each look that finds nothing new doubles the next one. */
export class RolloverRests {
  private readonly longestMs: number;
  /** By id of the domain. */
  private readonly rests = new Map<number, { readonly untilMs: number; readonly restMs: number }>();

  constructor(longestMs = LONGEST_REST_MS) {
    this.longestMs = longestMs;
  }

  /** @param nowMs monotonic time */
  isResting(domainId: number, nowMs: number): boolean {
    const rest = this.rests.get(domainId);
    return rest !== undefined && rest.untilMs > nowMs;
  }

  /** @param seconds the time that a TTL still takes; null if the servers decide when it goes on */
  add(domainId: number, nowMs: number, seconds: number | null): void {
    const before = this.rests.get(domainId)?.restMs ?? FIRST_REST_MS / 2;
    const restMs = seconds === null ? Math.min(before * 2, this.longestMs) : FIRST_REST_MS / 2;
    const untilMs = nowMs + (seconds === null ? restMs : Math.min(seconds * 1000, this.longestMs));
    this.rests.set(domainId, { untilMs, restMs });
  }

  /** The next look is due, and the rests begin with the shortest again. */
  end(domainId: number): void {
    this.rests.delete(domainId);
  }

  keepOnly(domainIds: ReadonlySet<number>): void {
    for (const id of this.rests.keys()) if (!domainIds.has(id)) this.rests.delete(id);
  }
}
