import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collecting takes some 20 ms if little is alive, which is not worth it for less garbage. */
const MIN_HEAP_BYTES = 96 * 2 ** 20;

let collect: (() => void) | undefined;

/**
 * Gives the memory of finished large work back to the system. V8 collects the garbage of a thread only when the thread goes on
 * allocating: an idle thread would keep hundreds of megabytes while others need them. Does nothing if the heap is small.
 */
export function collectGarbage(): void {
  if (getHeapStatistics().total_heap_size < MIN_HEAP_BYTES) return;
  collect ??= findCollect();
  collect();
}

/** Node offers the function only with a command-line option, or to contexts that are made after setting the flag. */
function findCollect(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
