import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../model/account.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { createDomain } from './create-domain.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { MAX_SOUGHT_PER_ACCOUNT, SoughtObjects, type SoughtObject } from './sought-objects.ts';

const { context, caller } = await openOperationScene();
const { store } = context;
const prober = { accountId: 'prober', keyId: 'key-1', terms: { address: '192.0.2.1' } };
let sought: SoughtObjects;

beforeAll(async () => {
  for (const domain of ['one.example', 'two.example']) {
    const created = await createDomain(context, caller, { domain });
    expect(created.ok).toBe(true);
  }
});

beforeEach(() => {
  sought = new SoughtObjects(context.clock, context.monotonic);
});

const domainNamed = (id: string): SoughtObject => ({ request: 'getDomain', kind: 'domain', id });

async function found(): Promise<readonly unknown[]> {
  await sought.settle(store);
  return sought.found.take(true).map(({ object, actor, count }) => [object, actor, count]);
}

test('of what was asked for, what others have is found, with the number of requests', async () => {
  for (const id of ['one.example', 'none.example', 'one.example', 'two.example'])
    sought.note(prober, domainNamed(id));
  sought.note({ ...prober, keyId: 'key-2' }, domainNamed('one.example'));
  sought.note(prober, { request: 'revokeKey', kind: 'key', id: caller.keyId });
  sought.note(prober, { request: 'revokeKey', kind: 'key', id: 'one.example' });
  expect(await found()).toEqual([
    ['one.example', 'key-1', 2],
    ['two.example', 'key-1', 1],
    ['one.example', 'key-2', 1],
    [caller.keyId, 'key-1', 1],
  ]);
  expect(await found()).toEqual([]);
});

test('what the caller has itself is not found, and no text that is no name', async () => {
  const own: Caller & typeof prober = { ...caller, terms: prober.terms };
  sought.note(own, domainNamed('one.example'));
  for (const id of ['', 'one.example\0', '\ud800', 'one .example', 'x'.repeat(300)])
    sought.note(prober, domainNamed(id));
  expect(await found()).toEqual([]);
});

test('an account that asks for too many things in a second leaves room to others', async () => {
  for (let at = 0; at < MAX_SOUGHT_PER_ACCOUNT; at++) sought.note(prober, domainNamed(`d${at}.example`));
  sought.note(prober, domainNamed('one.example'));
  sought.note({ ...prober, accountId: 'other' }, domainNamed('two.example'));
  expect(await found()).toEqual([['two.example', 'key-1', 1]]);
  sought.note(prober, domainNamed('one.example'));
  expect(await found()).toEqual([['one.example', 'key-1', 1]]);
});

test('while the store is away, requests wait; those that lead to a fault are forgotten', async () => {
  const failing = (error: Error): Pick<Store, 'accounts' | 'people'> => ({
    people: store.people,
    accounts: { ...store.accounts, holdersOf: () => Promise.reject(error) },
  });
  sought.note(prober, domainNamed('one.example'));
  const away = new StoreUnavailable('away');
  await expect(sought.settle(failing(away))).rejects.toBe(away);
  expect(await found()).toEqual([['one.example', 'key-1', 1]]);
  sought.note(prober, domainNamed('two.example'));
  const fault = new TypeError('a fault');
  await expect(sought.settle(failing(fault))).rejects.toBe(fault);
  expect(await found()).toEqual([]);
});
