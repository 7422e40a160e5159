export interface SliceLimits {
  /** The most names that are signed with the answer of the request; larger domains are signed in slices. */
  readonly namesAtOnce: number;
  /** The most names of a slice, and a third of the most signatures. */
  readonly names: number;
}

/**
 * Signing 5,000 names takes half a second of a thread, which a client waits for. A slice of 1,000 takes a tenth of one, in
 * which writes to the same domain wait, or make it start again; larger ones save little.
 */
export const sliceLimits: SliceLimits = { namesAtOnce: 5000, names: 1000 };
