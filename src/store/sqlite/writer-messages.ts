// Messages between the main thread and the writer thread. No message grows with what customers store: long lists travel as
// pieces ahead of the message that they belong to, and a message that is full is followed by another one.
import type { Steps } from '../../base/steps.ts';
import type { Quotas } from '../../writes/check-quotas.ts';
import type { Command } from '../../writes/command.ts';
import type { UpkeepPlan } from '../deletion-time.ts';
import type { SigningMoment, SigningSettings } from '../signing-settings.ts';
import { FULL_MESSAGE_CHARACTERS, type PieceSender } from '../threads/packed-list.ts';
import type { StagedWrite, TakenOver } from './preparing-messages.ts';
import { encodeResult } from '../threads/result-messages.ts';
import type { BatchResult } from './sqlite-writer.ts';

export interface WriterData {
  readonly path: string;
  readonly quotas: Quotas | undefined;
  /** Undefined: no domain can be signed. */
  readonly dnssec: SigningSettings | undefined;
  /** See `ServedWrites`. */
  readonly wakePath: string | undefined;
}

export type ToWriter =
  /** Belongs to the next message with commands. */
  | { readonly kind: 'piece'; readonly text: string }
  /** @param moment now, by the clock of the service */
  | {
      readonly kind: 'commands';
      readonly text: string;
      readonly count: number;
      readonly moment: SigningMoment;
    }
  /** Commit a prepared write, then send `takenOver`. */
  | { readonly kind: 'takeOver'; readonly staged: StagedWrite }
  /** The log of the last prepared write has been moved into the store's file: the writer moves the log itself again. */
  | { readonly kind: 'logMoved' }
  /** Send `reserved`. */
  | { readonly kind: 'reserveDomainId' }
  /** Write the kept time, remove expired data, then send `upkeepEnded`. */
  | { readonly kind: 'upkeep'; readonly plan: UpkeepPlan; readonly wallMs: number }
  /** Move everything that no reader needs out of the log, then send `logShortened`. */
  | { readonly kind: 'shortenLog' }
  /** Finish everything sent before, then end. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  /** Belongs to the next message with results. */
  | { readonly kind: 'piece'; readonly text: string }
  | ResultsMessage
  /** The oldest prepared write has been dealt with. */
  | {
      readonly kind: 'takenOver';
      readonly reply: TakenOver;
      /** The end of the feed after the commit; null if nothing was committed. */
      readonly lastSeq: number | null;
      readonly commitMs: number;
    }
  /** For the oldest request; the reason if there is no id. */
  | { readonly kind: 'reserved'; readonly domainId: number | string }
  | { readonly kind: 'logShortened' }
  /** A run of upkeep has ended that served this many requests, oldest first; null: it has not failed. */
  | { readonly kind: 'upkeepEnded'; readonly requests: number; readonly error: string | null }
  | { readonly kind: 'trouble'; readonly doing: string; readonly message: string };

/** The next results, in the order in which the commands were sent. */
export interface ResultsMessage {
  readonly kind: 'results';
  readonly results: string;
  /** The end of the feed after their batch; null if nothing was committed. */
  readonly lastSeq: number | null;
  /** The whole batch; present in its last message. */
  readonly batch?: BatchSummary;
}

export interface BatchSummary {
  readonly commands: number;
  readonly commitMs: number;
}

/** Joins encoded values to a JSON list. */
export function joinTexts(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

/** Posts the results of a batch in as many messages as they need. */
export function* postBatch(
  commands: readonly Command[],
  { results, lastSeq }: BatchResult,
  commitMs: number,
  pieces: PieceSender,
  post: (message: ResultsMessage) => void,
): Steps<void> {
  let texts: string[] = [];
  let characters = 0;
  const flush = (batch?: BatchSummary): void => {
    post({ kind: 'results', results: joinTexts(texts), lastSeq, ...(batch && { batch }) });
    pieces.endMessage();
    texts = [];
    characters = 0;
  };
  for (const [index, reply] of results.entries()) {
    if (characters >= FULL_MESSAGE_CHARACTERS) flush();
    const text = yield* encodeResult(reply, commands[index], pieces);
    texts.push(text);
    characters += text.length;
  }
  flush({ commands: results.length, commitMs });
}
