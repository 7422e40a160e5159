import { setPriority } from 'node:os';

/** A third of the processor time of the other threads, if all want it. */
const NICENESS = 5;

/**
 * Lets the calling thread give way to short work of this process and others. Linux has priorities of threads; elsewhere, the
 * whole process would be affected.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // A sandbox may forbid it, which costs nothing but fairness.
  }
}
