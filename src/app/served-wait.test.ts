import { expect, test } from 'vitest';
import { createServedWait } from './served-wait.ts';

/** Serves up to the seq that it was told last. */
class Copy {
  phase: 'following' | 'copying' = 'following';
  wakes = 0;
  waits = 0;
  private seq = 0;
  private waiting: { seq: number; resolve: () => void }[] = [];

  state() {
    return { phase: this.phase, seq: this.seq, feedSeq: null, lagMs: null };
  }

  wake(): void {
    this.wakes++;
  }

  reached(seq: number): Promise<void> {
    this.waits++;
    return new Promise((resolve) => {
      this.waiting.push({ seq, resolve });
      this.serve(this.seq);
    });
  }

  serve(seq: number): void {
    this.seq = seq;
    for (const one of this.waiting) if (one.seq <= seq) one.resolve();
  }
}

const FOR_EVER_MS = 2 ** 31 - 1;

test('a write waits until it is served, and the copy is told to look', async () => {
  const copy = new Copy();
  let isAnswered = false;
  const answered = createServedWait(copy, FOR_EVER_MS)(7).then(() => (isAnswered = true));
  copy.serve(6);
  await new Promise(setImmediate);
  expect([isAnswered, copy.wakes]).toEqual([false, 1]);
  copy.serve(7);
  await answered;
});

test('a write waits for a copy that is being made, as in the first moment of an installation', async () => {
  const copy = new Copy();
  copy.phase = 'copying';
  const answered = createServedWait(copy, FOR_EVER_MS)(7);
  copy.serve(7);
  await answered;
  expect(copy.waits).toBe(1);
});

test('behind a copy that does not follow, one write waits in vain and the others not at all', async () => {
  const copy = new Copy();
  const wait = createServedWait(copy, 1);
  for (let seq = 1; seq <= 100; seq++) await wait(seq);
  expect([copy.waits, copy.wakes]).toEqual([1, 100]);
});

test('once it has come so far, writes wait again', async () => {
  const copy = new Copy();
  const wait = createServedWait(copy, 1);
  await wait(7);
  await wait(8);
  copy.serve(7);
  await wait(9);
  expect(copy.waits).toBe(2);
});

test('another feed with smaller numbers is waited for', async () => {
  const copy = new Copy();
  const wait = createServedWait(copy, 1);
  await wait(1000);
  copy.serve(3);
  await wait(3);
  expect(copy.waits).toBe(2);
});
