/**
 * How nameserver threads say that they are alive: each counts up in shared memory from a timer of its event loop, so a
 * query costs nothing. A thread that is caught in an endless loop is one whose count stands still.
 */

/** One counter a worker. */
export function createHeartbeats(workers: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(workers * Int32Array.BYTES_PER_ELEMENT));
}

/** From now on as long as the calling thread's event loop turns; keeps no thread from ending. */
export function startHeartbeat(
  heartbeats: Int32Array<SharedArrayBuffer>,
  worker: number,
  intervalMs: number,
): void {
  Atomics.add(heartbeats, worker, 1);
  setInterval(() => Atomics.add(heartbeats, worker, 1), intervalMs).unref();
}

/**
 * Looks at one counter. Looks are counted, not time: a machine that was suspended, or a process that was stopped, makes
 * one late look of any length of time, and then the thread counts on as well.
 */
export class HeartbeatWatch {
  readonly #read: () => number;
  #last: number;
  #silentLooks = 0;

  constructor(read: () => number) {
    this.#read = read;
    this.#last = read();
  }

  /** How many looks in a row, with this one, have found the counter where it was. */
  look(): number {
    const count = this.#read();
    this.#silentLooks = count === this.#last ? this.#silentLooks + 1 : 0;
    this.#last = count;
    return this.#silentLooks;
  }
}
