// Messages between the main thread and a preparing thread, which decides one command at a time and answers in order.
//
//   prepare ─▶ prepared                                        nothing to write: the result
//           └▶ staged ─▶ the writer ─▶ written ─▶ prepared     the result of what the writer has committed
//                          └ moved ─▶ again ─▶ …               the basis has changed: decided once more
//                          └ otherwise ─▶ drop ─▶ dropped
import type { Quotas } from '../../writes/check-quotas.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import type { SigningMoment, SigningSettings } from '../signing-settings.ts';
import type { CommandThreadData } from '../threads/command-thread.ts';

export interface PreparerData {
  readonly path: string;
  /** As for the writer, so that both decide alike. */
  readonly quotas: Quotas | undefined;
  /** Undefined: no domain can be signed. */
  readonly dnssec: SigningSettings | undefined;
  /** Memory for large work; sizes the heap of the thread. */
  readonly workMemoryBytes?: number | undefined;
}

export interface PreparingThreadData extends PreparerData, CommandThreadData {
  /** The file in which the thread leaves the rows of a prepared write. */
  readonly stagedPath: string;
}

export type ToPreparer =
  /** @param text a JSON list of one encoded command; `moment`: now, by the clock of the service */
  | { readonly kind: 'prepare'; readonly text: string; readonly moment: SigningMoment }
  /** @param domainId reserved for a domain that the command creates; null if it creates none */
  | { readonly kind: 'again'; readonly domainId: number | null }
  | { readonly kind: 'written' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'close' };

export type Answer =
  /** A JSON list of one encoded result. */
  { readonly kind: 'prepared'; readonly text: string } | StagedWrite | { readonly kind: 'dropped' };

/** A write that the writer can take over. */
export interface StagedWrite {
  readonly kind: 'staged';
  /** The file with its long lists of rows (`stageRows`). */
  readonly path: string;
  /** A `PreparedWrite` as JSON. */
  readonly text: string;
  readonly createsDomain: boolean;
}

/** The writer's reply; `moved`: what the write rests on has changed, and nothing was written. */
export type TakenOver = { readonly kind: 'written' } | { readonly kind: 'moved' } | CommandReply;
