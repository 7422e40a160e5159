// UUIDv7 (RFC 9562 section 5.7) whose text rises strictly within the process: lists in creation order come of it.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';

/** The 12 bits of `rand_a`, used as a counter within a millisecond (RFC 9562 section 6.2, method 1). */
const IDS_PER_MS = 4096;

/** Returns a function that gives one id a call. A clock that is set back does not set the ids back. */
export function createIdSource(clock: Clock): () => string {
  let lastMs = -1;
  let counter = 0;
  let prefix = '';
  return () => {
    const nowMs = clock.nowMs();
    counter += 1;
    if (nowMs > lastMs || counter === IDS_PER_MS) {
      // A burst beyond the counter borrows from the next millisecond.
      lastMs = nowMs > lastMs ? nowMs : lastMs + 1;
      counter = 0;
      prefix = timePrefix(lastMs);
    }
    // From `randomUUID` the variant and 62 random bits.
    return prefix + counter.toString(16).padStart(3, '0') + randomUUID().slice(18);
  };
}

/** 48 bits of milliseconds and the version: `0193489f-8a3b-7`. */
function timePrefix(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
}
