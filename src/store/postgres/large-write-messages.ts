// Messages between the main thread and the thread for large writes, which decides and commits one command at a time.
import type { Quotas } from '../../writes/check-quotas.ts';
import type { SigningMoment, SigningSettings } from '../signing-settings.ts';
import type { CommandThreadData } from '../threads/command-thread.ts';
import type { PostgresAddress } from './postgres-address.ts';

export interface LargeWriterData {
  readonly address: PostgresAddress;
  readonly quotas: Quotas | undefined;
  readonly dnssec: SigningSettings | undefined;
}

export interface LargeWriterThreadData extends LargeWriterData, CommandThreadData {}

export type ToLargeWriter =
  /** @param text a JSON list of one encoded command; `moment`: now, by the clock of the service */
  | { readonly kind: 'write'; readonly text: string; readonly moment: SigningMoment }
  | { readonly kind: 'close' };

/** The outcome of a command. */
export interface LargeAnswer {
  readonly kind: 'done';
  /** A JSON list of one encoded result; null if the basis has moved each time, and nothing was committed. */
  readonly text: string | null;
  /** The end of the feed after the commit; null if nothing was committed. */
  readonly lastSeq: number | null;
  /** For log and metrics. */
  readonly events: readonly LargeWriteEvent[];
}

export type LargeWriteEvent =
  | { readonly kind: 'committed'; readonly commands: number; readonly commitMs: number }
  | { readonly kind: 'retried' }
  | { readonly kind: 'failed'; readonly reason: string };
