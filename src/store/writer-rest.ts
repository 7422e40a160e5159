// The rest between two large writes, for both engines.

/** After a large write the writer belongs to others three times as long: large writes take a quarter of it at most. */
export const REST_FACTOR = 3;

/** A slow disk must not make the rest longer than a large write waits for its turn. */
export const MAX_REST_MS = 9000;

/** Returns how long large writes rest after one that has held the writer for so long. */
export function restAfter(heldMs: number): number {
  return Math.min(heldMs * REST_FACTOR, MAX_REST_MS);
}
