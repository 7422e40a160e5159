import { expect, test } from 'vitest';
import type { Domain } from '../model/domain.ts';
import type { ServedSerial } from '../store/store.ts';
import { MAX_WAITS, MAX_WAITS_PER_ACCOUNT, PropagationWaits } from './propagation-waits.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

const patient = 60_000;
const forEver = new AbortController().signal;

function domain(id: number, accountId = 'a'): Domain {
  return { id, accountId } as Domain;
}

function serving(serial: number): readonly ServedSerial[] {
  return [{ id: 'a', nameserver: 'ns1', serial, takenAtMs: null, seenAtMs: 0, isLive: true }];
}

/** A store that reports the next serial at each poll of a domain. */
function risingStore() {
  const looks = new Map<number, number>();
  return {
    looks,
    servedSerials({ id }: Domain) {
      const count = (looks.get(id) ?? 0) + 1;
      looks.set(id, count);
      return Promise.resolve(serving(count));
    },
  };
}

test('waits for one domain share each poll, and each ends when its serial is served', async () => {
  const store = risingStore();
  const waits = new PropagationWaits(store);
  const ended: string[] = [];
  const wait = async (id: number, serial: number): Promise<void> => {
    const awaited = { domain: domain(id), serial, timeoutMs: patient };
    const waited = await waits.wait(awaited, serving(0), forEver);
    ended.push(`${id}: ${waited.ok && waited.value[0].serial}`);
  };
  await Promise.all([wait(1, 3), wait(1, 2), wait(1, 3), wait(2, 1)]);
  expect(ended.sort()).toEqual(['1: 2', '1: 3', '1: 3', '2: 1']);
  expect(store.looks).toEqual(
    new Map([
      [1, 3],
      [2, 1],
    ]),
  );
});

test('polling stops without waits, and restarts with the next one', async () => {
  const store = risingStore();
  const waits = new PropagationWaits(store);
  for (const serial of [1, 2]) {
    await waits.wait({ domain: domain(1), serial, timeoutMs: patient }, [], forEver);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(store.looks.get(1)).toBe(serial);
  }
});

test('when the time is up, the wait ends with the latest served serials', async () => {
  const store = risingStore();
  const waits = new PropagationWaits(store);
  const early = await waits.wait({ domain: domain(1), serial: 9, timeoutMs: 1 }, serving(0), forEver);
  expect(early).toMatchObject({ ok: true, value: serving(0) });
  const later = await waits.wait({ domain: domain(1), serial: 99, timeoutMs: 200 }, [], forEver);
  expect(later).toMatchObject({ ok: true, value: serving(store.looks.get(1)!) });
});

test('waits end in time even if the store hangs', async () => {
  const waits = new PropagationWaits({ servedSerials: () => new Promise(() => undefined) });
  const awaited = { domain: domain(1), serial: 9, timeoutMs: 100 };
  expect(await waits.wait(awaited, serving(1), forEver)).toMatchObject({ ok: true, value: serving(1) });
});

test('the wait of a client that goes away ends, and other waits continue', async () => {
  const store = risingStore();
  const waits = new PropagationWaits(store);
  const gone = new AbortController();
  const left = waits.wait({ domain: domain(1), serial: 1000, timeoutMs: patient }, [], gone.signal);
  const stayed = waits.wait({ domain: domain(2), serial: 2, timeoutMs: patient }, [], forEver);
  gone.abort();
  expect(await left).toMatchObject({ ok: false });
  expect(await stayed).toMatchObject({ ok: true });
  expect(store.looks.get(1)).toBeUndefined();
  const late = await waits.wait({ domain: domain(1), serial: 9, timeoutMs: patient }, [], gone.signal);
  expect(late).toMatchObject({ ok: false });
});

test('close() ends all waits immediately and refuses new ones as busy', async () => {
  const waits = new PropagationWaits(risingStore());
  const awaited = { domain: domain(1), serial: 1000, timeoutMs: patient };
  const waiting = [1, 2, 3].map(() => waits.wait(awaited, [], forEver));
  waits.close();
  const refusal = { code: 'busy', message: 'The service is stopping; try again' };
  for (const waited of await Promise.all(waiting)) expect(waited).toEqual({ ok: false, refusal });
  expect(await waits.wait(awaited, [], forEver)).toEqual({ ok: false, refusal });
});

test('an error of the store ends the waits for that domain', async () => {
  const store = risingStore();
  const waits = new PropagationWaits({
    servedSerials: (of) =>
      of.id === 1 ? Promise.reject(new StoreUnavailable('away')) : store.servedSerials(of),
  });
  const away = [1, 2].map(() =>
    waits.wait({ domain: domain(1), serial: 5, timeoutMs: patient }, [], forEver),
  );
  const other = waits.wait({ domain: domain(2), serial: 2, timeoutMs: patient }, [], forEver);
  for (const waited of away) await expect(waited).rejects.toThrow(StoreUnavailable);
  expect(await other).toMatchObject({ ok: true });
});

test('the number of waits is limited, in total and per account', async () => {
  const waits = new PropagationWaits(risingStore());
  const leave: AbortController[] = [];
  const wait = (account: string) => {
    leave.push(new AbortController());
    const awaited = { domain: domain(1, account), serial: 1_000_000, timeoutMs: patient };
    return waits.wait(awaited, [], leave.at(-1)!.signal);
  };
  const busy = {
    ok: false,
    refusal: { code: 'busy', message: 'Too many requests are waiting for nameservers; try again' },
  };
  const waiting: Promise<unknown>[] = [];
  for (let account = 0; waiting.length < MAX_WAITS; account++) {
    for (let count = 0; count < MAX_WAITS_PER_ACCOUNT; count++) waiting.push(wait(`account ${account}`));
    expect(await wait(`account ${account}`)).toEqual(busy);
  }
  expect(await wait('another')).toEqual(busy);
  for (const gone of leave) gone.abort();
  await Promise.all(waiting);
  const awaited = { domain: domain(2), serial: 1, timeoutMs: patient };
  expect(await waits.wait(awaited, [], forEver)).toMatchObject({ ok: true });
});
