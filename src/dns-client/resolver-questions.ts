/**
 * Asks resolvers that customers choose, one question a request:
 *
 *     one that may be asked? ─▶ a turn: one an account, eight in all, at least a second each ─▶ UDP, then TCP, at most 6 s
 *
 * Without care, the service would send packets wherever a customer points. Therefore only the resolvers of the operator's list
 * are asked (decision 0035), or, if the operator allows that, public addresses at port 53 (see `isPublicAddress`). One account
 * has at most one question a second, and all together eight, each of at most six packets with one name of its domain.
 */
import type { MonotonicClock } from '../base/clock.ts';
import { FairSemaphore, type GetSignal } from '../base/fair-semaphore.ts';
import { formatIpv6, parseIpv4, parseIpv6 } from '../dns/ip-address.ts';
import type { DomainName } from '../dns/name.ts';
import { askAnswer, type AskedAnswer } from './ask-answer.ts';
import { isPublicAddress } from './public-address.ts';
import { runInTurn, SHORTEST_TURN_MS } from './run-in-turn.ts';
import type { ServerAddress } from './server-address.ts';

/** `public`: every public address; otherwise just those, each at its port. */
export type AllowedResolvers = 'public' | readonly ServerAddress[];

export interface ResolverQuestionsOptions {
  readonly allowed: AllowedResolvers;
  readonly monotonic: MonotonicClock;
  /** For tests; otherwise `SHORTEST_TURN_MS`. */
  readonly shortestTurnMs?: number;
}

/** A resolver that has to ask others answers within two seconds or so; a silent one takes four times as long. */
const ANSWER_TIMEOUT_MS = 1500;

/** A silent resolver takes as long. */
const DEADLINE_MS = 6000;

const turnLimits = {
  permits: 8,
  permitsPerKey: 1,
  /** As many as can begin while a client waits. */
  maxWaiting: 16,
  maxWaitingPerKey: 2,
  /** With the deadline, eight seconds: HTTP clients give up after ten or later. */
  waitMs: 2000,
};

export class ResolverQuestions {
  private readonly options: ResolverQuestionsOptions;
  private readonly turns = new FairSemaphore(turnLimits);

  constructor(options: ResolverQuestionsOptions) {
    this.options = options;
  }

  /** Returns the address in its canonical form if it may be asked. */
  find(text: string): { readonly address: string } | { readonly problem: string } {
    const ipv6 = parseIpv6(text);
    if (!ipv6.ok && !parseIpv4(text).ok) return { problem: 'The resolver must be an IP address' };
    const address = ipv6.ok ? formatIpv6(ipv6.value) : text;
    if (this.serverAt(address) !== undefined) return { address };
    const { allowed } = this.options;
    const problem =
      allowed === 'public'
        ? 'Only resolvers with a public address can be asked'
        : `This service asks only these resolvers: ${allowed.map(({ host }) => host).join(', ')}`;
    return { problem };
  }

  /**
   * @param accountId whose turn it takes
   * @param address as `find` returned it
   * @param getSignal ends the wait for a turn
   */
  async ask(
    accountId: string,
    address: string,
    { name, type }: { readonly name: DomainName; readonly type: number },
    getSignal: GetSignal,
  ): Promise<{ readonly answer: AskedAnswer; readonly durationMs: number | null }> {
    const server = this.serverAt(address);
    if (server === undefined) return { answer: { problem: 'it may not be asked' }, durationMs: null };
    const { monotonic, shortestTurnMs = SHORTEST_TURN_MS } = this.options;
    const pace = { turns: this.turns, monotonic, shortestMs: shortestTurnMs, deadlineMs: DEADLINE_MS };
    const found = await runInTurn(pace, accountId, getSignal, async (signal) => {
      const startedMs = monotonic.elapsedMs();
      const options = { recursionDesired: true, timeoutMs: ANSWER_TIMEOUT_MS, signal };
      const answer = await askAnswer(server, name, type, options);
      return { answer, durationMs: Math.round(monotonic.elapsedMs() - startedMs) };
    });
    return found ?? { answer: { problem: TOO_MANY }, durationMs: null };
  }

  private serverAt(address: string): ServerAddress | undefined {
    const { allowed } = this.options;
    if (allowed !== 'public') return allowed.find(({ host }) => host === address);
    return isPublicAddress(address) ? { host: address, port: 53 } : undefined;
  }
}

const TOO_MANY = 'it was not asked, because other questions are in progress; ask again in some seconds';
