// Long work in steps of some milliseconds, so that a thread does everything else in between. Work is a generator that
// yields where it may be left for a while; what it works on must not change meanwhile.

export type Steps<T> = Generator<undefined, T, undefined>;

/** One step after the other, and whatever else the event loop has to do between them. */
export async function runInSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise(setImmediate);
  }
}

/** A longer turn at once would be felt by whoever waits for a page. */
const LONGEST_TURN_MS = 100;

/**
 * As `runInSteps`, for work that others elsewhere wait for: its turns are as long as what is done between them, so
 * that a busy one makes the work take about twice as long, and not many times.
 */
export async function runInEqualTurns<T>(steps: Steps<T>, nowMs = () => performance.now()): Promise<T> {
  for (let turnMs = 0; ;) {
    const startMs = nowMs();
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (nowMs() - startMs < turnMs);
    const endMs = nowMs();
    await new Promise(setImmediate);
    turnMs = Math.min(nowMs() - endMs, LONGEST_TURN_MS);
  }
}

/** All at once. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work in the order in which it comes, each piece whole before the next; what takes one step is done at once. */
export class StepsInOrder {
  private readonly waiting: Steps<void>[] = [];
  private running: Promise<void> | undefined;

  /** Where nothing is under way, the first step is done before this returns. What throws later, nobody catches. */
  add(work: Steps<void>): void {
    if (this.running !== undefined) this.waiting.push(work);
    else if (work.next().done !== true) this.running = this.runAll(work);
  }

  /** Resolves when nothing is left to do. */
  async finish(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  private async runAll(first: Steps<void>): Promise<void> {
    for (let work: Steps<void> | undefined = first; work !== undefined; work = this.waiting.shift()) {
      await new Promise(setImmediate);
      await runInSteps(work);
    }
    this.running = undefined;
  }
}

/** Items visited, sorted or merged in a step: some 2 ms. */
const ITEMS_A_STEP = 4000;

export function* visitInSteps<T>(
  items: Iterable<T>,
  visit: (item: T) => void,
  itemsAStep = ITEMS_A_STEP,
): Steps<void> {
  let visited = 0;
  for (const item of items) {
    visit(item);
    if (++visited % itemsAStep === 0) yield;
  }
}

/** A sorted copy; what compares equal stays in its order. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += ITEMS_A_STEP) {
    runs.push(items.slice(start, start + ITEMS_A_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(at + 1 < runs.length ? yield* merge(runs[at], runs[at + 1], compare) : runs[at]);
    }
    runs = merged;
  }
  return runs.at(0) ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  for (let [l, r] = [0, 0]; l < left.length || r < right.length;) {
    const isLeft = r === right.length || (l < left.length && compare(left[l], right[r]) <= 0);
    merged.push(isLeft ? left[l++] : right[r++]);
    if (merged.length % ITEMS_A_STEP === 0) yield;
  }
  return merged;
}
