import type { ZoneCopy } from '../zone-copy/zone-copy.ts';

/**
 * Longest time that the answer to a committed write waits for this process's own nameserver. A healthy copy has a batch
 * within some 10 ms; behind a broken one, writes must go on.
 */
const LONGEST_WAIT_MS = 2_000;

/**
 * Waits until the nameserver of this process serves the feed up to a seq, so that customers see what they wrote.
 *
 * Batches are answered one after the other: behind a copy that cannot follow (its disk is full), each would wait on top
 * of all before it. So after one that was waited for in vain, none waits until the copy has come so far. The same holds while all
 * zones are being copied, which takes milliseconds in a new installation and minutes in a large one.
 */
export function createServedWait(
  copy: Pick<ZoneCopy, 'state' | 'wake' | 'reached'>,
  longestMs = LONGEST_WAIT_MS,
): (seq: number) => Promise<void> {
  let missedSeq = 0;
  return async (seq) => {
    copy.wake();
    // A smaller seq than the missed one is of another feed, which took the place of the old one.
    if (copy.state().seq < Math.min(missedSeq, seq)) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        missedSeq = seq;
        resolve();
      }, longestMs);
    });
    await Promise.race([copy.reached(seq), tooLate]);
    clearTimeout(timer);
  };
}
