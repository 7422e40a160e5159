import { expect, test } from 'vitest';
import { PreparedWrites } from './prepared-writes.ts';
import type { StagedWrite } from './preparing-messages.ts';
import type { ToWriter } from './writer-messages.ts';

const staged: StagedWrite = { kind: 'staged', path: '', text: '', createsDomain: false };
const settled = (): Promise<void> => new Promise(setImmediate);

function open() {
  const posted: ToWriter['kind'][] = [];
  const moves: (() => void)[] = [];
  const writes = new PreparedWrites(
    ({ kind }) => posted.push(kind),
    () => new Promise((resolve) => moves.push(resolve)),
  );
  const reply = (commitMs: number): void =>
    writes.receive({ kind: 'takenOver', reply: { kind: 'written' }, lastSeq: 1, commitMs });
  return { posted, moves, writes, reply };
}

test('a prepared write is answered before its log is moved, and the next one waits for that', async () => {
  const { posted, moves, writes, reply } = open();
  const first = writes.takeOver(staged);
  const second = writes.takeOver(staged);
  await settled();
  reply(0);
  await expect(first).resolves.toMatchObject({ reply: { kind: 'written' } });
  await settled();
  expect(posted).toEqual(['takeOver']);
  moves[0]();
  await settled();
  expect(posted).toEqual(['takeOver', 'logMoved', 'takeOver']);
  reply(0);
  await second;
});

test('a prepared write waits while others write, for three times as long as the last one took', async () => {
  const { posted, moves, writes, reply } = open();
  const first = writes.takeOver(staged);
  await settled();
  reply(20);
  await first;
  writes.noteOthers();
  moves[0]();
  const startMs = performance.now();
  const second = writes.takeOver(staged);
  await settled();
  expect(posted).toEqual(['takeOver', 'logMoved']);
  while (posted.length < 3) await settled();
  expect(performance.now() - startMs).toBeGreaterThan(40);
  reply(0);
  await second;
});
