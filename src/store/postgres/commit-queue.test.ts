import { expect, test } from 'vitest';
import { written } from '../../model/result.ts';
import type { Command } from '../../writes/command.ts';
import { weighCommand } from '../../writes/command-weight.ts';
import { CommitQueue } from './commit-queue.ts';
import type { BatchResult } from './postgres-writer.ts';

const command: Command = { kind: 'revokeKey', accountId: null, keyId: 'k' };
const decided: BatchResult = { results: [{ kind: 'decided', result: written(null) }], lastSeq: 7 };
const unavailable: BatchResult = { results: [{ kind: 'unavailable', message: 'away' }], lastSeq: null };

test('a batch is committed even while an earlier one is not answered yet', async () => {
  const { queue, events, answer } = newQueue([decided, decided]);
  const first = queue.add(command, weighCommand(command));
  await reached(() => events.length === 1);
  const second = queue.add(command, weighCommand(command));
  await reached(() => events.length === 2);
  expect(events).toEqual(['answering 7', 'answering 7']);
  answer();
  await Promise.all([first, second]);
});

test('a batch that was not committed is answered at once, and so are commands that never reached the database', async () => {
  const { queue, events } = newQueue([unavailable]);
  const many = Array.from({ length: 300 }, () => queue.add(command, weighCommand(command)));
  const results = await Promise.allSettled(many);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(events).toEqual([]);
});

function newQueue(batches: BatchResult[]) {
  const events: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const queue = new CommitQueue({
    writer: {
      commitBatch: (commands) => {
        const batch = batches.shift() ?? expect.unreachable();
        return Promise.resolve({ ...batch, results: commands.map(() => batch.results[0]) });
      },
    },
    served: {
      ...neverWaiting,
      afterCommit: (lastSeq) => {
        events.push(`answering ${lastSeq}`);
        return answered;
      },
    },
  });
  return { queue, events, answer: () => answer() };
}

const neverWaiting = {
  beforeWrite: () => undefined,
  whenShown: () => undefined,
  formerSerial: () => undefined,
  isServing: () => true,
  serves: () => true,
};

async function reached(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise(setImmediate);
}
