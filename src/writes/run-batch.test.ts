import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import type { Author, Command } from './command.ts';
import type { ZoneName } from '../model/domain.ts';
import { refused, written } from '../model/result.ts';
import { PendingBatch } from './pending-batch.ts';
import { runBatch, type Decide } from './run-batch.ts';
import { START_MS } from '../store/suite/store-scene.test-support.ts';

const author: Author = { accountId: 'a', keyId: 'k', atMs: START_MS };
const storeFault = new Error('disk');

/** Writes first and judges afterwards, by the domain's name. */
const decideLate: Decide = function* (command, view) {
  if (command.kind !== 'createDomain') throw new Error('only domains are created here');
  yield;
  const domain = view.insertDomain({ accountId: 'a', name: command.name, createdAtSeconds: 1 });
  if (command.name.startsWith('refuse')) return refused('domain_taken', 'no');
  if (command.name.startsWith('throw')) throw new Error('bug');
  if (command.name.startsWith('fault')) throw storeFault;
  return written(domain);
};

test('what a refused or failing command wrote is gone, its neighbours stay', () => {
  const view = newView();
  const results = run(view, ['one.example', 'throw.example', 'refuse.example', 'two.example']);
  expect(results.map(({ kind }) => kind)).toEqual(['decided', 'failed', 'decided', 'decided']);
  expect(results[1]).toMatchObject({ message: expect.stringContaining('bug') as string });
  const { createdDomains, changes } = view.finish();
  expect(createdDomains.map(({ id, name }) => [id, name])).toEqual([
    [1, 'one.example'],
    [2, 'two.example'],
  ]);
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2]);
});

test("the store's own failure fails the whole batch", () => {
  expect(() => run(newView(), ['one.example', 'fault.example'])).toThrow(storeFault);
});

function run(view: PendingBatch, names: readonly string[]) {
  const commands = names.map((name): Command => ({
    kind: 'createDomain',
    author,
    name: name as ZoneName,
    address: null,
    nameservers: [],
  }));
  return finishSteps(runBatch(commands, view, decideLate, (error) => error === storeFault));
}

function newView(): PendingBatch {
  const nothing = (): undefined => undefined;
  const rows = {
    findAccount: nothing,
    findKey: nothing,
    findDomain: nothing,
    findRecord: nothing,
    recordsAt: () => [],
    findRetiredSerial: nothing,
    recordsOf: () => [],
    findLastDeleted: nothing,
    findDeletedDomain: nothing,
    changesLater: () => ({ changes: [], reachesBack: false }),
    findKeptOutcome: nothing,
  };
  return new PendingBatch(rows, { lastSeq: 0, lastDomainId: 0, accountCount: 0, keyCount: 0 });
}
