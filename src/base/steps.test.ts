import { expect, onTestFinished, test } from 'vitest';
import {
  finishSteps,
  runInEqualTurns,
  runInSteps,
  sortInSteps,
  StepsInOrder,
  visitInSteps,
} from './steps.ts';

test.each([0, 1, 999, 1000, 1001, 20_011])(
  'sortInSteps() sorts %i items like sort(), keeping the order of equal ones',
  (count) => {
    const items = Array.from({ length: count }, (_, at) => ({ key: (at * 7919) % 1000, at }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(finishSteps(sortInSteps(items, compare))).toEqual(items.toSorted(compare));
  },
);

test('other work runs between two steps', async () => {
  const done: string[] = [];
  function* work() {
    for (const part of ['one', 'two', 'three']) {
      done.push(part);
      yield;
    }
    return 'all';
  }
  setImmediate(() => done.push('other'));
  expect(await runInSteps(work(), undefined, 0)).toBe('all');
  expect(done).toEqual(['one', 'other', 'two', 'three']);
});

test('short work is done in one turn', async () => {
  function* work() {
    for (let step = 0; step < 10; step++) yield;
  }
  let turns = 0;
  await runInSteps(work(), () => turns++, 60_000);
  expect(turns).toBe(0);
});

test('one of many pieces of long work goes on in each turn of the event loop, and all come round', async () => {
  const done: number[] = [];
  let isOver = false;
  function* work(name: number) {
    for (let step = 0; step < 5; step++) {
      done.push(name);
      yield;
    }
  }
  const turns: number[] = [];
  const count = (): void => {
    turns.push(done.length);
    if (!isOver) setImmediate(count);
  };
  const names = [0, 1, 2, 3];
  const all = Promise.all(names.map((name) => runInSteps(work(name), undefined, 0)));
  count();
  await all;
  isOver = true;
  // The first step of each runs at once.
  expect(turns[0]).toBe(4);
  expect(turns.slice(1).every((steps, index) => steps - turns[index] <= 1)).toBe(true);
  expect(done).toEqual(Array(5).fill(names).flat());
});

test('on a busy event loop each turn lasts as long as the other work before it, up to a limit', async () => {
  let nowMs = 0;
  const steps: number[] = [];
  function* work() {
    for (let step = 0; step < 1000; step++) {
      nowMs++;
      steps[steps.length - 1]++;
      yield;
    }
    return 'all';
  }
  let other: NodeJS.Immediate;
  const beOther = (busyMs: number): void => {
    nowMs += busyMs;
    steps.push(0);
    other = setImmediate(beOther, busyMs * 5);
  };
  onTestFinished(() => clearImmediate(other));
  beOther(4);
  expect(await runInEqualTurns(work(), () => nowMs)).toBe('all');
  expect(steps.slice(0, 5)).toEqual([1, 20, 100, 100, 100]);
});

test('visitInSteps() visits every item, in several steps if there are many', () => {
  const seen: number[] = [];
  const steps = visitInSteps(Array(10_000).keys(), (item) => seen.push(item));
  expect([...steps].length).toBeGreaterThan(1);
  expect(seen).toEqual([...Array(10_000).keys()]);
});

test('a failing step fails the work', async () => {
  function* work() {
    yield;
    throw new Error('a bug');
  }
  await expect(runInSteps(work())).rejects.toThrow('a bug');
});

test('StepsInOrder runs work in order, and immediately if one step is enough', async () => {
  const done: string[] = [];
  function* work(name: string, steps: number) {
    for (let step = 1; step < steps; step++) {
      done.push(`${name}${step}`);
      yield;
    }
    done.push(name);
  }
  const order = new StepsInOrder();
  order.add(work('a', 1));
  expect(done).toEqual(['a']);
  setImmediate(() => done.push('other'));
  order.add(work('b', 3));
  expect(done).toEqual(['a', 'b1']);
  order.add(work('c', 1));
  order.add(work('d', 2));
  await order.finish();
  expect(done).toEqual(['a', 'b1', 'other', 'b2', 'b', 'c', 'd1', 'd']);
  order.add(work('e', 1));
  expect(done.at(-1)).toBe('e');
  await order.finish();
});
