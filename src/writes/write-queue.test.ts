import { expect, test } from 'vitest';
import { weighCommand } from './command-weight.ts';
import type { Command } from './command.ts';
import { record, zone } from './decide-scene.test-support.ts';
import { StoreBusy } from './store-errors.ts';
import { MAX_ACCOUNT_BYTES, MAX_ACCOUNT_COMMANDS, WriteQueue, type QueuedWrite } from './write-queue.ts';

function write(accountId: string, id: string, data = ''): Command {
  const author = { accountId, keyId: 'k', atMs: 0 };
  return {
    kind: 'createRecord',
    author,
    domain: zone,
    record: { ...record(id, 'www A 192.0.2.1'), data },
  };
}

function fill(queue: WriteQueue, accountId: string, count: number, data = ''): Promise<unknown>[] {
  return Array.from({ length: count }, (_, at) => add(queue, write(accountId, `${accountId}${at}`, data)));
}

function add(queue: WriteQueue, command: Command): Promise<unknown> {
  return queue.add(command, weighCommand(command));
}

const idsOf = (writes: readonly QueuedWrite[]): string[] =>
  writes.map(({ command }) => ('record' in command ? command.record.id : ''));

test('an account with few commands is served before the many of another one, whose order stays', () => {
  const queue = new WriteQueue();
  void fill(queue, 'a', 1000);
  void fill(queue, 'b', 2);
  const ids = idsOf(queue.take(256));
  expect(ids.indexOf('b0')).toBeLessThan(100);
  expect(ids.indexOf('b1')).toBe(ids.indexOf('b0') + 1);
  const all = [...ids, ...idsOf(queue.take(Infinity))];
  expect(all).toHaveLength(1002);
  expect(all.filter((id) => id.startsWith('a'))).toEqual(Array.from({ length: 1000 }, (_, at) => `a${at}`));
});

test('turns are weighed by octets, not by commands', () => {
  const queue = new WriteQueue();
  void fill(queue, 'a', 100, 'x'.repeat(60_000));
  void fill(queue, 'b', 500);
  const ids = idsOf(queue.take(500));
  expect(ids.filter((id) => id.startsWith('a')).length).toBeLessThan(20);
});

test('a batch ends when its cost is reached, but always has one command', () => {
  const queue = new WriteQueue();
  void fill(queue, 'a', 5, 'x'.repeat(60_000));
  expect(idsOf(queue.take(256, 1))).toEqual(['a0']);
  expect(idsOf(queue.take(256, 100_000))).toEqual(['a1', 'a2']);
});

test('one account cannot fill the queue, by number or by octets', async () => {
  const queue = new WriteQueue();
  void fill(queue, 'a', MAX_ACCOUNT_COMMANDS);
  await expect(add(queue, write('a', 'late'))).rejects.toThrow(StoreBusy);
  void fill(queue, 'b', 1, 'x'.repeat(MAX_ACCOUNT_BYTES));
  await expect(add(queue, write('b', 'late'))).rejects.toThrow(StoreBusy);
  void add(queue, write('c', 'c0'));
  expect(idsOf(queue.take(1000))).toContain('c0');
});

test('commands that are put back are the next of their account, and held ones wait', () => {
  const queue = new WriteQueue();
  void fill(queue, 'a', 3);
  void fill(queue, 'b', 1);
  const taken = queue.take(2);
  queue.putBack(taken.slice(1));
  queue.hold(taken[0].command);
  expect([queue.waitingCount, idsOf(queue.take(9))]).toEqual([1, ['b0']]);
  queue.release(taken[0].command);
  expect(idsOf(queue.take(9))).toEqual(['a1', 'a2']);
});
