/**
 * Looks at zones of others for customers. A look-up asks some hundred questions at most, see `ParentLookup` and `askKeySets`;
 * the limits here say how many look-ups there are:
 *
 *     result of the last seconds? ─▶ the same look-up in progress? ─▶ one an account, 16 in all ─▶ the look-up, at most 8 s
 *
 * A turn lasts at least a second, so one account makes the service ask 128 servers a second at most, 64 of a parent zone
 * and 64 of a domain, however many domains and decoy parents it has, and all together two thousand. Looks of several kinds share their turns.
 */
import type { MonotonicClock, Clock } from '../base/clock.ts';
import { FairSemaphore, type GetSignal } from '../base/fair-semaphore.ts';
import type { DomainName } from '../dns/name.ts';
import { DnsFailure } from './dns-failure.ts';
import { KeptLooks } from './kept-looks.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { runInTurn, SHORTEST_TURN_MS } from './run-in-turn.ts';

/** The answers of the servers, or the reason why nothing is known. */
export type Look<Sight> = AskedLook<Sight> | UnknownLook;

export interface AskedLook<Sight> {
  readonly kind: 'asked';
  readonly sight: Sight;
  readonly atMs: number;
}

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
export interface LookKind<Sight> {
  /** How long a look is the answer to later requests. */
  readonly keptMs: number;
  /** The object of the search, for sentences about failures; absent: the parent zone. */
  readonly sought?: string;
  /** @throws DnsFailure if the zone could not be found */
  find(domain: DomainName, lookup: ParentLookup): Promise<Sight>;
}

/** A silent server takes four seconds, and so may the resolver before it. */
export const DEADLINE_MS = 8000;

/** With the deadline, ten seconds: HTTP clients give up after that or later. */
const TURN_WAIT_MS = 2000;

/** A silent server takes four times as long, see `DnsClient`. */
const ANSWER_TIMEOUT_MS = 1000;

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

export class PacedLooks<Sight> {
  private readonly options: PacedLooksOptions;
  private readonly kindOfLook: LookKind<Sight>;
  private readonly turns: FairSemaphore;
  private readonly kept: KeptLooks<Look<Sight>>;
  private readonly running = new Map<string, Promise<Look<Sight>>>();
  private readonly stopping = new AbortController();

  constructor(options: PacedLooksOptions, kindOfLook: LookKind<Sight>) {
    this.options = options;
    this.kindOfLook = kindOfLook;
    this.turns = options.turns ?? createLookTurns();
    this.kept = new KeptLooks(() => options.monotonic.elapsedMs());
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
  ): Promise<Look<Sight>> {
    const { lookup } = this.options;
    if (lookup === undefined) return nobodyAsked;
    const known = this.kept.find(shown, keptMs) ?? this.running.get(shown);
    if (known !== undefined) return known;
    const started = this.lookInTurn(accountId, domain, shown, getSignal, lookup);
    this.running.set(shown, started);
    try {
      return await started;
    } finally {
      this.running.delete(shown);
    }
  }

  /** The last look; undefined if it is not remembered. */
  last(shown: string): Look<Sight> | undefined {
    return this.kept.find(shown);
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
  ): Promise<Look<Sight>> {
    const { monotonic, shortestTurnMs = SHORTEST_TURN_MS, deadlineMs = DEADLINE_MS } = this.options;
    const pace = { turns: this.turns, monotonic, shortestMs: shortestTurnMs, deadlineMs };
    const stopping = this.stopping.signal;
    const look = await runInTurn({ ...pace, stopping }, accountId, getSignal, async (signal) => {
      const made = await this.ask(domain, { timeoutMs: ANSWER_TIMEOUT_MS, ...lookup, signal });
      this.kept.keep(shown, made);
      return made;
    });
    return look ?? tooMany;
  }

  private async ask(domain: DomainName, lookup: ParentLookup): Promise<Look<Sight>> {
    try {
      const sight = await this.kindOfLook.find(domain, lookup);
      return { kind: 'asked', sight, atMs: this.options.clock.nowMs() };
    } catch (error) {
      if (!(error instanceof DnsFailure)) throw error;
      const { sought = 'the parent zone' } = this.kindOfLook;
      return { kind: 'unknown', reason: `${sought} could not be found: ${error.message}` };
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
