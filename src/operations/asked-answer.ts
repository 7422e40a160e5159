import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Message } from '../dns/message.ts';
import type { DomainName } from '../dns/name.ts';

/** The answer of a server with whatever code, or a sentence without a full stop that says why there is none. */
export type AskedAnswer = Message | { readonly problem: string };

export interface AskedQuestion {
  readonly name: DomainName;
  readonly type: number;
}

/**
 * Asks the nameserver beside this process.
 *
 * @param accountId whose turn it takes
 * @param getSignal ends the wait for a turn
 */
export type AskNameserver = (
  accountId: string,
  question: AskedQuestion,
  getSignal: GetSignal,
) => Promise<AskedAnswer>;

/** Asks resolvers that customers choose, within limits. */
export interface AskedResolvers {
  /**
   * Returns the address in its canonical form if it may be asked.
   *
   * @param text as the customer wrote it
   */
  find(text: string): { readonly address: string } | { readonly problem: string };
  /**
   * @param accountId whose turn it takes
   * @param address as `find` returned it
   * @param getSignal ends the wait for a turn
   */
  ask(
    accountId: string,
    address: string,
    question: AskedQuestion,
    getSignal: GetSignal,
  ): Promise<ResolverAnswer>;
}

export interface ResolverAnswer {
  readonly answer: AskedAnswer;
  /** Null if the resolver was not asked. */
  readonly durationMs: number | null;
}
