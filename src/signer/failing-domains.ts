/**
 * The domains whose signatures could not be renewed, or accounts. Each is tried again after a pause that doubles, and is
 * logged once: a domain that fails for weeks must not fill the log, nor take the time of the others.
 */
export class FailingDomains<Id = number> {
  /** By id of the domain. */
  private readonly pauses = new Map<Id, { readonly untilMs: number; readonly pauseMs: number }>();

  /** The number of domains that failed when they were last tried. */
  get count(): number {
    return this.pauses.size;
  }

  /** @param nowMs monotonic time */
  isResting(domainId: Id, nowMs: number): boolean {
    const pause = this.pauses.get(domainId);
    return pause !== undefined && pause.untilMs > nowMs;
  }

  /** Returns true the first time, if the domain can be remembered. */
  addFailure(domainId: Id, nowMs: number): boolean {
    const before = this.pauses.get(domainId);
    if (before === undefined && this.pauses.size >= MAX_REMEMBERED) return false;
    const pauseMs = Math.min((before?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
    this.pauses.set(domainId, { untilMs: nowMs + pauseMs, pauseMs });
    return before === undefined;
  }

  /** Returns true if the domain had failed. */
  remove(domainId: Id): boolean {
    return this.pauses.delete(domainId);
  }
}

/** The domains are looked at each minute. */
const FIRST_PAUSE_MS = 60_000;

/** Signatures have two weeks left when their domain is overdue by a day: an hour is little. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Some 100 octets each. If more fail, the fault is that of the service, and one line of the log says as much as all. */
const MAX_REMEMBERED = 1000;
