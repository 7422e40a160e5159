import { expect, test } from 'vitest';
import { Turns, type EndTurn, type TurnLimits } from './turns.ts';

const limits: TurnLimits = { atOnce: 2, atOnceEach: 2, waiting: 8, waitingEach: 4, waitMs: 60_000 };

/** Takes turns under names such as `a1`, for party `a`, and notes who began. */
class Takers {
  readonly turns: Turns;
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  private readonly ends = new Map<string, EndTurn>();

  constructor(changed: Partial<TurnLimits> = {}) {
    this.turns = new Turns({ ...limits, ...changed });
  }

  async take(taker: string, gone?: AbortSignal): Promise<void> {
    const end = await this.turns.take(taker.slice(0, 1), gone && (() => gone));
    if (end === undefined) this.refused.push(taker);
    else {
      this.begun.push(taker);
      this.ends.set(taker, end);
    }
  }

  takeAll(takers: string): Promise<void> {
    for (const taker of takers.split(' ')) void this.take(taker);
    return settled();
  }

  end(taker: string): Promise<void> {
    this.ends.get(taker)?.();
    return settled();
  }

  /** Ends whoever began first, until nobody is under way. */
  async endAll(): Promise<string> {
    for (let at = 0; at < this.begun.length; at++) await this.end(this.begun[at] ?? '');
    return this.begun.join(' ');
  }
}

const settled = (): Promise<void> => new Promise(setImmediate);

test('no more work at once than the limit, and those who wait go on in the order in which they came', async () => {
  const takers = new Takers();
  await takers.takeAll('a1 a2 a3 a4');
  expect(takers.begun).toEqual(['a1', 'a2']);
  expect(takers.turns.tryTake('b')).toBeUndefined();
  await takers.end('a2');
  expect(takers.begun).toEqual(['a1', 'a2', 'a3']);
  expect(await takers.endAll()).toBe('a1 a2 a3 a4');
});

test('a turn that ends twice gives one place back', async () => {
  const takers = new Takers({ atOnce: 1 });
  await takers.takeAll('a1 a2 a3');
  await takers.end('a1');
  await takers.end('a1');
  expect(takers.begun).toEqual(['a1', 'a2']);
});

test('parties take turns, however many of one wait', async () => {
  const takers = new Takers({ atOnce: 1 });
  await takers.takeAll('a1 a2 a3 a4 b1 b2 c1');
  expect(await takers.endAll()).toBe('a1 b1 c1 a2 b2 a3 a4');
});

test('one party never has more than its share, also where places are free', async () => {
  const takers = new Takers({ atOnceEach: 1 });
  await takers.takeAll('a1 a2 b1 c1');
  expect(takers.begun).toEqual(['a1', 'b1']);
  await takers.end('b1');
  expect(takers.begun).toEqual(['a1', 'b1', 'c1']);
  expect(await takers.endAll()).toBe('a1 b1 c1 a2');
});

test('beyond what may wait, in all or of one party, nobody waits', async () => {
  const takers = new Takers({ waiting: 6 });
  await takers.takeAll('a1 a2 a3 a4 a5 a6 a7 b1 b2 b3');
  expect(takers.refused).toEqual(['a7', 'b3']);
  await takers.endAll();
  await takers.takeAll('a8 a9');
  expect(takers.begun.slice(-2)).toEqual(['a8', 'a9']);
});

test('who is gone waits no longer, and does not begin', async () => {
  const takers = new Takers({ atOnce: 1 });
  const gone = new AbortController();
  await takers.takeAll('a1');
  void takers.take('b1', gone.signal);
  void takers.take('b2', AbortSignal.abort());
  await takers.takeAll('c1');
  gone.abort();
  await settled();
  expect(takers.refused).toEqual(['b2', 'b1']);
  expect(await takers.endAll()).toBe('a1 c1');
});

test('whoever has waited too long is refused', async () => {
  const takers = new Takers({ atOnce: 1, waitMs: 1 });
  await takers.takeAll('a1');
  await takers.take('b1');
  expect(takers.refused).toEqual(['b1']);
  await takers.end('a1');
  await takers.takeAll('c1');
  expect(takers.begun).toEqual(['a1', 'c1']);
});
