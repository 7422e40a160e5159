// UUIDv7 ids (RFC 9562 section 5.7), strictly increasing within the process, so that sorting by id is creation order.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';

/** The 12 bits of `rand_a` are a counter within a millisecond (RFC 9562 section 6.2, method 1). */
const IDS_PER_MS = 4096;

/** Returns a function that creates ids. Ids keep increasing even if the clock is set back. */
export function createIdSource(clock: Clock): () => string {
  let lastMs = -1;
  let counter = 0;
  let prefix = '';
  return () => {
    const nowMs = clock.nowMs();
    counter += 1;
    if (nowMs > lastMs || counter === IDS_PER_MS) {
      // If the counter overflows, continue with the next millisecond.
      lastMs = nowMs > lastMs ? nowMs : lastMs + 1;
      counter = 0;
      prefix = timePrefix(lastMs);
    }
    // The variant and 62 random bits are taken from `randomUUID`.
    return prefix + counter.toString(16).padStart(3, '0') + randomUUID().slice(18);
  };
}

/** Formats 48 bits of milliseconds and the version: `0193489f-8a3b-7`. */
function timePrefix(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
}
