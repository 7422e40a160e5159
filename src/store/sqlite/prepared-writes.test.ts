import { expect, test } from 'vitest';
import { MAX_REST_MS } from '../writer-rest.ts';
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

test.each([
  ['waits for the end of the rest while others write', true, ['takeOver', 'logMoved']],
  ['does not rest if nobody else writes', false, ['takeOver', 'logMoved', 'takeOver']],
])('a prepared write %s', async (_, othersWrite, expected) => {
  const { posted, moves, writes, reply } = open();
  const first = writes.takeOver(staged);
  await settled();
  // The longest rest follows, whose end this test does not wait for.
  reply(MAX_REST_MS);
  await first;
  if (othersWrite) writes.noteOthers();
  moves[0]();
  void writes.takeOver(staged);
  await settled();
  await settled();
  expect(posted).toEqual(expected);
});
