// Splits long work into steps of a few milliseconds, so that the thread can do other work in between. The work is a
// generator that yields where it may pause; its data must not change meanwhile.

export type Steps<T> = Generator<undefined, T, undefined>;

/** Long work that waits for its turn, the longest first. */
const turns: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, in which nothing else that waits here goes on: however much long work a thread
 * has, short work waits for one step of it.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (turns.push(resolve) === 1) setImmediate(beginTurn);
  });
}

function beginTurn(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(beginTurn);
}

/** Shorter work is done in one turn: it does not wait for the steps of longer work. */
const SHORT_TURN_MS = 1;

/**
 * Runs the steps, letting the event loop do its other work between them.
 *
 * @param onTurn called before each turn but the first; may throw to stop
 * @param turnMs a turn has steps until so much time has passed
 */
export async function runInSteps<T>(
  steps: Steps<T>,
  onTurn: () => void = () => undefined,
  turnMs = SHORT_TURN_MS,
): Promise<T> {
  for (;;) {
    const untilMs = performance.now() + turnMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
    onTurn();
  }
}

/** A longer turn would noticeably delay users who wait for a page. */
const LONGEST_TURN_MS = 100;

/**
 * Like `runInSteps`, for work that others wait for: each turn lasts as long as the other work before it, so that a busy
 * thread makes the work take about twice as long, and not many times.
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

/** Runs all steps without a pause. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs pieces of work in order, each complete before the next; work that takes only one step is done immediately. */
export class StepsInOrder {
  private readonly waiting: Steps<void>[] = [];
  private running: Promise<void> | undefined;

  /** If nothing is running, the first step is done before this returns. Errors of later steps are not caught. */
  add(work: Steps<void>): void {
    if (this.running !== undefined) this.waiting.push(work);
    else if (work.next().done !== true) this.running = this.runAll(work);
  }

  /** Resolves when all work is done. */
  async finish(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  private async runAll(first: Steps<void>): Promise<void> {
    for (let work: Steps<void> | undefined = first; work !== undefined; work = this.waiting.shift()) {
      await nextTurn();
      await runInSteps(work);
    }
    this.running = undefined;
  }
}

/** Items visited, sorted or merged per step: about 0.5 ms. */
const ITEMS_A_STEP = 1000;

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

/** Returns a sorted copy; equal items keep their order. */
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
