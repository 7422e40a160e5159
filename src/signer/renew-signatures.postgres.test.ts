// Renewal by two processes on one database.
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { newPostgres, openStore, withoutZones } from '../store/postgres/postgres-scene.test-support.ts';
import { enableSigning } from '../store/suite/signed-scene.test-support.ts';
import { START_MS, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { Renewal } from './renew-signatures.ts';

const DAY_MS = 86_400_000;

test('two processes that find the same domains renew each of them once', async () => {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  let passedMs = 0;
  const clock = { nowMs: () => START_MS + passedMs };
  const stores = [await openStore(address, { clock }), await openStore(address, { clock })];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const tenant = await new StoreScene(withoutZones(stores[0])).newAccount();
  const names: ZoneName[] = [];
  for (let made = 0; made < 5; made++) {
    const { name } = await tenant.createDomain();
    await enableSigning(tenant, name, 'nsec');
    names.push(name);
  }
  const serials = async (): Promise<number[]> =>
    Promise.all(names.map(async (name) => (await tenant.get(name)).serial));
  const before = await serials();
  passedMs = 5 * DAY_MS;
  const processes = stores.map(
    (store) =>
      new Renewal({
        store,
        log: silentLog,
        clock,
        monotonic: { elapsedMs: () => passedMs },
        findClockDoubt: () => undefined,
        canSign: true,
      }),
  );
  await Promise.all(processes.map((renewal) => renewal.look()));
  expect(await serials()).toEqual(before.map((serial) => serial + 1));
  const figures = processes.map((renewal) => renewal.figures());
  expect(figures.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(5);
  expect(figures).toMatchObject([
    { due: 0, failures: 0 },
    { due: 0, failures: 0 },
  ]);
});
