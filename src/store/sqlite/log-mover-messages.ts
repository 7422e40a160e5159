// Messages between the main thread and the thread of `LogMover`, which answers in order.

export interface LogMoverData {
  readonly path: string;
}

export type ToLogMover =
  /** Move what can be moved, then send `moved`. */
  { readonly kind: 'move' } | { readonly kind: 'close' };

export type FromLogMover =
  | { readonly kind: 'ready' }
  /** For the oldest request; the reason if it failed, null if it has not. */
  | { readonly kind: 'moved'; readonly failure: string | null };
