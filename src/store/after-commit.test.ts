import { beforeEach, expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { Command } from '../writes/command.ts';
import { CommitInDoubt } from '../writes/store-errors.ts';
import type { CommandReply, QueuedWrite } from '../writes/write-queue.ts';
import { ServedAnswers, whenServed, type ServedWrites } from './after-commit.ts';

const done: CommandReply = {
  kind: 'decided',
  result: { ok: true, value: null, changed: true } as Extract<CommandReply, { kind: 'decided' }>['result'],
};
const refused: CommandReply = {
  kind: 'decided',
  result: { ok: false, refusal: { code: 'unknown_domain', message: 'not found' } },
};

interface Settled {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A nameserver process that serves what it is told to. */
class Served implements ServedWrites {
  readonly positions: Settled[] = [];
  /** Domains that are served in a former version. */
  readonly hidden = new Map<string, Settled[]>();

  beforeWrite(): undefined {
    return undefined;
  }

  serves(): boolean {
    return true;
  }

  isServing(): boolean {
    return true;
  }

  formerSerial(): undefined {
    return undefined;
  }

  afterCommit(): Promise<void> {
    return new Promise((resolve, reject) => this.positions.push({ resolve, reject }));
  }

  whenShown(domain: ZoneName): Promise<void> | undefined {
    const waits = this.hidden.get(domain);
    return waits && new Promise((resolve, reject) => waits.push({ resolve, reject }));
  }
}

let served: Served;
let answers: ServedAnswers;
let answered: string[];

beforeEach(() => {
  served = new Served();
  answered = [];
  answers = new ServedAnswers(served, ({ command }, reply) => {
    const name = 'name' in command ? command.name : '';
    const ending = reply?.kind === 'decided' ? (reply.result.ok ? 'done' : 'refused') : reply?.kind;
    answered.push(`${name} ${ending}`);
  });
});

function commandFor(name: string): Command {
  return { kind: 'deleteDomain', author: { accountId: 'a', keyId: 'k', atMs: 1 }, name: name as ZoneName };
}

function writesTo(...names: string[]): QueuedWrite[] {
  const ends = { resolve: () => undefined, reject: () => undefined };
  return names.map((name) => ({ command: commandFor(name), weight: { octets: 1, rows: 1 }, ...ends }));
}

async function settle(): Promise<void> {
  await new Promise(setImmediate);
}

test('batches are answered in order when they are served', async () => {
  answers.add(writesTo('a', 'b'), [done, refused], 5);
  answers.add(writesTo('c'), [done], 6);
  served.positions[1].resolve();
  await settle();
  expect(answered).toEqual([]);
  served.positions[0].resolve();
  await answers.finish();
  expect(answered).toEqual(['a done', 'b refused', 'c done']);
});

test('writes to a domain that is served in a former version are answered later, and delay nobody else', async () => {
  served.hidden.set('slow', []);
  answers.add(writesTo('slow', 'a', 'slow'), [done, done, refused], 5);
  answers.add(writesTo('b', 'slow'), [done, done], 6);
  for (const { resolve } of served.positions) resolve();
  await settle();
  expect(answered).toEqual(['a done', 'slow refused', 'b done']);
  const finished = answers.finish();
  const [first, second] = served.hidden.get('slow') ?? [];
  first.resolve();
  second.reject(new CommitInDoubt('late'));
  await finished;
  expect(answered.slice(3)).toEqual(['slow done', 'slow unknown']);
});

test('a batch that is not served in time leaves its writes in doubt, and its refusals as they are', async () => {
  answers.add(writesTo('a', 'b'), [done, refused], 5);
  served.positions[0].reject(new CommitInDoubt('late'));
  await answers.finish();
  expect(answered).toEqual(['a unknown', 'b refused']);
});

test('without a commit, or a process that serves, there is nothing to wait for', async () => {
  served.hidden.set('slow', []);
  answers.add(writesTo('slow'), [done], null);
  await answers.finish();
  expect([answered, served.positions]).toEqual([['slow done'], []]);
  await whenServed(undefined, commandFor('slow'), 5);
});

test('a single write is served when its position is reached and its domain is shown', async () => {
  const waits: Settled[] = [];
  served.hidden.set('slow', waits);
  let isServed = false;
  const waiting = whenServed(served, commandFor('slow'), 5).then(() => (isServed = true));
  served.positions[0].resolve();
  await settle();
  expect([isServed, waits.length]).toEqual([false, 1]);
  waits[0].resolve();
  await waiting;
  const lost = whenServed(served, commandFor('a'), 6);
  served.positions[1].reject(new Error('lost'));
  await expect(lost).rejects.toBeInstanceOf(CommitInDoubt);
});
