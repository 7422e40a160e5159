import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { Command } from '../writes/command.ts';
import { StoreBusy } from '../writes/store-errors.ts';
import { DomainOrder } from './domain-order.ts';
import { newRecord } from './suite/store-scene.test-support.ts';

const author = { accountId: 'account-1', keyId: 'key-1', atMs: 0 };

function command(name: string, accountId = author.accountId): Command {
  return { kind: 'deleteDomain', author: { ...author, accountId }, name: name as ZoneName };
}

/** Work that ends when it is told to. */
function work(label: string, begun: string[]) {
  let end = (): void => undefined;
  let fail = (): void => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error(label));
  });
  return { end, fail, run: () => (begun.push(label), ended) };
}

test('DomainOrder lets commands of the same account and domain wait for a large one, and no others', async () => {
  const order = new DomainOrder();
  const begun: string[] = [];
  const [large, small, second, last] = ['large', 'small', 'second', 'last'].map((label) =>
    work(label, begun),
  );
  const results = [
    order.run(command('a.example'), true, large.run),
    order.run(command('a.example'), false, small.run),
    order.run(command('a.example'), true, second.run),
    order.run(command('a.example'), false, last.run),
  ];
  void order.run(command('b.example'), false, work('other domain', begun).run);
  void order.run(command('a.example', 'account-2'), false, work('other account', begun).run);
  expect(begun).toEqual(['large', 'other domain', 'other account']);
  large.fail();
  await expect(results[0]).rejects.toThrow('large');
  await settle();
  expect(begun.slice(3)).toEqual(['small', 'second']);
  small.end();
  second.end();
  last.end();
  await Promise.all(results.slice(1));
  expect(begun.at(-1)).toBe('last');
  const next = work('next', begun);
  void order.run(command('a.example'), false, next.run);
  expect(begun.at(-1)).toBe('next');
});

test('DomainOrder refuses commands beyond what may wait, in number and octets', async () => {
  const order = new DomainOrder();
  const begun: string[] = [];
  const large = work('large', begun);
  const first = order.run(command('a.example'), true, large.run);
  const waiting = Array.from({ length: 256 }, () =>
    order.run(command('a.example'), false, () => Promise.resolve(begun.push('waited'))),
  );
  await expect(order.run(command('a.example'), false, large.run)).rejects.toThrow(StoreBusy);
  // A large command that is refused does not let later ones pass.
  await expect(order.run(command('a.example'), true, large.run)).rejects.toThrow(StoreBusy);
  await settle();
  expect(begun).toEqual(['large']);
  large.end();
  await Promise.all([first, ...waiting]);
  expect(begun).toHaveLength(257);

  const again = work('again', begun);
  void order.run(command('b.example'), true, again.run);
  const long = newRecord('long', 1, { data: 'x'.repeat(2 ** 24) });
  const create: Command = { kind: 'createRecord', author, domain: 'b.example' as ZoneName, record: long };
  const heavy = order.run(create, false, () => Promise.resolve());
  await expect(order.run(command('b.example'), false, large.run)).rejects.toThrow(StoreBusy);
  again.end();
  await heavy;
});

async function settle(): Promise<void> {
  await new Promise(setImmediate);
}
