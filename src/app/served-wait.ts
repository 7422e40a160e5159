import type { ZoneCopy } from '../zone-copy/zone-copy.ts';

/**
 * Longest time that the answer to a committed write waits for the nameserver of this process. A healthy copy applies a
 * batch within some 10 ms; if the copy is broken, writes must continue.
 */
const LONGEST_WAIT_MS = 2_000;

/**
 * Waits until the nameserver of this process serves the feed up to a seq, so that customers see what they wrote.
 *
 * Batches are answered in order, so with a copy that cannot follow (for example because its disk is full), the waits
 * would add up. After one wait has timed out, no batch waits until the copy has reached the missed position. The same
 * applies while all zones are being copied, which takes milliseconds in a new installation and minutes in a large one.
 */
export function createServedWait(
  copy: Pick<ZoneCopy, 'state' | 'wake' | 'reached'>,
  longestMs = LONGEST_WAIT_MS,
): (seq: number) => Promise<void> {
  let missedSeq = 0;
  return async (seq) => {
    copy.wake();
    // A seq smaller than the missed one belongs to another feed that has replaced the old one.
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
