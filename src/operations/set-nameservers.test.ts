import { beforeEach, expect, test } from 'vitest';
import { NameserverSets } from '../claims/nameserver-sets.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { createDomain } from './create-domain.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { setNameservers } from './set-nameservers.ts';
import { WorkBudget } from './work-budget.ts';

const { context, caller } = await openOperationScene();
const page = { direction: 'after', key: null, limit: 500 } as const;
const sent = { from: ['*'], to: ['ns9.example.net'] };
let count = 0;
let domains: string[] = [];

beforeEach(async () => {
  domains = Array.from({ length: 3 }, (_, at) => `${'abc'[at]}${++count}.example`).sort();
  for (const domain of domains)
    expect(await createDomain(context, caller, { domain })).toMatchObject({ ok: true });
});

/** The store goes away after some writes. */
function leavingAfter(writes: number): OperationContext {
  let left = writes;
  const write: Store['write'] = (command, signal) =>
    left-- > 0 ? context.store.write(command, signal) : Promise.reject(new StoreUnavailable('away'));
  return { ...context, store: Object.assign(Object.create(context.store) as Store, { write }) };
}

test('a store that goes away after a change ends the page there, and the next one goes on', async () => {
  const wanted = { ...sent, domains };
  const first = await setNameservers(leavingAfter(1), caller, wanted, page);
  expect(first).toMatchObject({
    ok: true,
    value: { rows: [{ domain: domains[0], changed: true }], hasAfter: true, total: 3 },
  });
  const rest = await setNameservers(context, caller, wanted, { ...page, key: domains[0] });
  expect(rest).toMatchObject({
    value: { rows: [{ domain: domains[1] }, { domain: domains[2] }], hasAfter: false },
  });
});

test('a store that goes away before any change is reported as unavailable', async () => {
  await expect(setNameservers(leavingAfter(0), caller, { ...sent, domains }, page)).rejects.toThrow(
    StoreUnavailable,
  );
});

test('a primary nameserver of the SOA that is no nameserver of the domain stays, unless it is named', async () => {
  const [name] = domains;
  const terms = { author: { accountId: caller.accountId, keyId: caller.keyId, atMs: 0 } };
  const soaPrimary = 'hidden.example.net';
  await context.store.write({ kind: 'updateDomain', ...terms, name: name as never, soaPrimary });
  const first = await setNameservers(context, caller, { ...sent, domains: [name] }, page);
  expect(first).toMatchObject({ value: { rows: [{ changed: true }] } });
  expect(first.ok && first.value.rows[0].soaPrimary).toBeUndefined();
  const named = { ...sent, from: [soaPrimary], domains: [name] };
  expect(await setNameservers(context, caller, named, page)).toMatchObject({
    value: { rows: [{ changed: true, soaPrimary: { before: soaPrimary, after: 'ns9.example.net' } }] },
  });
});

test('a page costs work for each of its domains', async () => {
  const many = Array.from({ length: 100 }, (_, at) => `x${at}.example`);
  const limits = { ...context.settings.limits, costPerMinute: 1300 };
  const poor = { ...context, work: new WorkBudget(), settings: { ...context.settings, limits } };
  expect(await setNameservers(poor, caller, { ...sent, domains: many }, page)).toMatchObject({ ok: true });
  expect(await setNameservers(poor, caller, { ...sent, domains: many }, page)).toMatchObject({
    refusal: { code: 'cost_exceeded' },
  });
});

test('without nameservers of its own, the service asks for the new names', async () => {
  const settings = { ...context.settings, nameservers: ['ns1.zonewright.invalid'] };
  const unset = { ...context, settings, nameserverSets: new NameserverSets(context.store, settings) };
  expect(await setNameservers(unset, caller, {}, page)).toMatchObject({ refusal: { field: 'to' } });
});
