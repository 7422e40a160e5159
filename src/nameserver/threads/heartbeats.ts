/**
 * Heartbeats of nameserver threads: each thread increments a counter in shared memory from a timer of its event loop,
 * so queries pay nothing for it. The counter of a thread caught in an endless loop stops.
 */

/** One counter per worker. */
export function createHeartbeats(workers: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(workers * Int32Array.BYTES_PER_ELEMENT));
}

/** Beats for as long as the calling thread's event loop runs. Does not keep the thread alive. */
export function startHeartbeat(
  heartbeats: Int32Array<SharedArrayBuffer>,
  worker: number,
  intervalMs: number,
): void {
  Atomics.add(heartbeats, worker, 1);
  setInterval(() => Atomics.add(heartbeats, worker, 1), intervalMs).unref();
}

/**
 * Watches one counter. It counts checks instead of measuring time: after the machine was suspended or the process
 * stopped, there is one late check of any length, and the thread resumes counting just the same.
 */
export class HeartbeatWatch {
  private readonly read: () => number;
  private last: number;
  private silentChecks = 0;

  constructor(read: () => number) {
    this.read = read;
    this.last = read();
  }

  /** Returns how many consecutive checks, including this one, found the counter unchanged. */
  check(): number {
    const count = this.read();
    this.silentChecks = count === this.last ? this.silentChecks + 1 : 0;
    this.last = count;
    return this.silentChecks;
  }
}
