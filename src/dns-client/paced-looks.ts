/**
 * Looks at zones of others for customers. A look-up sends some hundred packets at most, see `ParentLookup`; the limits here
 * say how many look-ups there are:
 *
 *     result of the last seconds? ─▶ the same look-up in progress? ─▶ one an account, 16 in all ─▶ the look-up, at most 8 s
 *
 * A turn lasts at least a second, so one account makes the service ask 64 servers a second at most, however many domains
 * and decoy parents it has, and all together a thousand. Looks of several kinds share their turns.
 */
import type { MonotonicClock, Clock } from '../base/clock.ts';
import { FairSemaphore, type GetSignal } from '../base/fair-semaphore.ts';
import type { DomainName } from '../dns/name.ts';
import { DnsFailure } from './dns-failure.ts';
import type { ParentLookup } from './parent-lookup.ts';

/** Why nothing is known. */
export interface UnknownLook {
  readonly kind: 'unknown';
  readonly reason: string;
  /** The servers could be asked, but not now: too many others are. */
  readonly isBusy?: true;
}

export interface PacedLooksOptions {
  /** Undefined: nobody is asked. */
  readonly lookup: Omit<ParentLookup, 'signal'> | undefined;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  /** Those that looks of other kinds take, too; absent: its own. */
  readonly turns?: FairSemaphore;
  /** For tests; otherwise `DEADLINE_MS`. */
  readonly deadlineMs?: number;
  /** For tests; otherwise `SHORTEST_TURN_MS`. */
  readonly shortestTurnMs?: number;
}

/** How a kind of looks is made. */
export interface LookKind<Asked> {
  /** How long a look is the answer to later requests. */
  readonly keptMs: number;
  /** @throws DnsFailure if the zone could not be found */
  find(domain: DomainName, lookup: ParentLookup): Promise<Asked>;
}

/** More than 16 look-ups at a time can finish within 30 s if half of them are quick. Each has some 10 KB. */
const MAX_KEPT = 1024;

/** A silent server takes four seconds, and so may the resolver before it. */
export const DEADLINE_MS = 8000;

/** With the deadline, ten seconds: HTTP clients give up after that or later. */
const TURN_WAIT_MS = 2000;

/** A silent server takes four times as long, see `DnsClient`. */
const ANSWER_TIMEOUT_MS = 1000;

/** An account that looks at many domains gets on; a victim behind a decoy parent notices nothing. */
const SHORTEST_TURN_MS = 1000;

/** Look-ups in progress: with 32 questions each, 512 sockets of the 1,024 that a process has at least. */
const LOOKS_AT_ONCE = 16;

const limits = {
  permits: LOOKS_AT_ONCE,
  permitsPerKey: 1,
  /** As many as can begin while a client waits, if each takes a second. */
  maxWaiting: 2 * LOOKS_AT_ONCE,
  maxWaitingPerKey: 2,
  waitMs: TURN_WAIT_MS,
};

export function createLookTurns(): FairSemaphore {
  return new FairSemaphore(limits);
}

interface KeptLook<Look> {
  readonly look: Look;
  readonly madeAtMs: number;
}

export class PacedLooks<Asked> {
  private readonly options: PacedLooksOptions;
  private readonly kindOfLook: LookKind<Asked>;
  private readonly turns: FairSemaphore;
  /** By domain; the oldest first. */
  private readonly kept = new Map<string, KeptLook<Asked | UnknownLook>>();
  private readonly running = new Map<string, Promise<Asked | UnknownLook>>();
  private readonly stopping = new AbortController();

  constructor(options: PacedLooksOptions, kindOfLook: LookKind<Asked>) {
    this.options = options;
    this.kindOfLook = kindOfLook;
    this.turns = options.turns ?? createLookTurns();
  }

  /**
   * Never rejects for a reason that lies in DNS. Servers that have not answered at the deadline are timeouts.
   *
   * @param domain one of the account, in lower case
   * @param shown the same name, as the key of what is kept
   * @param getSignal ends the wait for a turn
   * @param keptMs how old the look may be; by default, what its kind says
   */
  async look(
    accountId: string,
    domain: DomainName,
    shown: string,
    getSignal?: GetSignal,
    keptMs = this.kindOfLook.keptMs,
  ): Promise<Asked | UnknownLook> {
    const { lookup, monotonic } = this.options;
    if (lookup === undefined) return nobodyAsked;
    const kept = this.kept.get(shown);
    if (kept !== undefined && monotonic.elapsedMs() < kept.madeAtMs + keptMs) return kept.look;
    const running = this.running.get(shown);
    if (running !== undefined) return running;
    const started = this.lookInTurn(accountId, domain, shown, getSignal, lookup);
    this.running.set(shown, started);
    try {
      return await started;
    } finally {
      this.running.delete(shown);
    }
  }

  /** The last look, however long ago; undefined if it is not remembered. */
  last(shown: string): Asked | UnknownLook | undefined {
    return this.kept.get(shown)?.look;
  }

  /** Ends all look-ups; later ones end at once. */
  close(): void {
    this.stopping.abort(new DnsFailure('timeout', 'the service is stopping'));
  }

  private async lookInTurn(
    accountId: string,
    domain: DomainName,
    shown: string,
    getSignal: GetSignal | undefined,
    lookup: Omit<ParentLookup, 'signal'>,
  ): Promise<Asked | UnknownLook> {
    const release = await this.turns.acquire(accountId, getSignal);
    if (release === undefined) return tooMany;
    const { monotonic, shortestTurnMs = SHORTEST_TURN_MS } = this.options;
    const startedMs = monotonic.elapsedMs();
    try {
      const look = await this.ask(domain, lookup);
      this.keep(shown, look);
      return look;
    } finally {
      const restMs = shortestTurnMs - (monotonic.elapsedMs() - startedMs);
      if (restMs > 0) setTimeout(release, restMs).unref();
      else release();
    }
  }

  private async ask(domain: DomainName, lookup: Omit<ParentLookup, 'signal'>): Promise<Asked | UnknownLook> {
    const { deadlineMs = DEADLINE_MS } = this.options;
    // A reason of this class is the outcome of each question that is still open; the answers that have come are kept.
    const deadline = new AbortController();
    const abort = (): void => deadline.abort(this.stopping.signal.reason);
    const timer = setTimeout(
      () => deadline.abort(new DnsFailure('timeout', 'it did not answer in time')),
      deadlineMs,
    );
    this.stopping.signal.addEventListener('abort', abort, { once: true });
    try {
      if (this.stopping.signal.aborted) abort();
      const { signal } = deadline;
      return await this.kindOfLook.find(domain, { timeoutMs: ANSWER_TIMEOUT_MS, ...lookup, signal });
    } catch (error) {
      if (!(error instanceof DnsFailure)) throw error;
      return { kind: 'unknown', reason: `the parent zone could not be found: ${error.message}` };
    } finally {
      clearTimeout(timer);
      this.stopping.signal.removeEventListener('abort', abort);
    }
  }

  private keep(shown: string, look: Asked | UnknownLook): void {
    this.kept.delete(shown);
    this.kept.set(shown, { look, madeAtMs: this.options.monotonic.elapsedMs() });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_KEPT) return;
      this.kept.delete(oldest);
    }
  }
}

const nobodyAsked: UnknownLook = {
  kind: 'unknown',
  reason: 'this service asks no resolver (setting ZONEWRIGHT_RESOLVERS)',
};
const tooMany: UnknownLook = {
  kind: 'unknown',
  reason: 'other look-ups are in progress; ask again in some seconds',
  isBusy: true,
};
