// Messages between the main thread and a preparing thread, which decides one command at a time and answers in order.

import type { Quotas } from '../../writes/check-quotas.ts';

export interface PreparerData {
  readonly path: string;
  /** As for the writer, so that both decide alike. */
  readonly quotas: Quotas | undefined;
}

export type ToPreparer =
  /** Belongs to the next command. */
  | { readonly kind: 'piece'; readonly text: string }
  /** A JSON list of one encoded command. */
  | { readonly kind: 'prepare'; readonly text: string }
  | { readonly kind: 'close' };

export type FromPreparer =
  | { readonly kind: 'ready' }
  /** Belongs to the next result. */
  | { readonly kind: 'piece'; readonly text: string }
  /** A JSON list of one encoded result; empty if the command has to be written. */
  | { readonly kind: 'prepared'; readonly text: string };
