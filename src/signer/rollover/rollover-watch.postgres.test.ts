// The watch of two processes on one database.
import { onTestFinished, test } from 'vitest';
import { newPostgres, openStore, withoutZones } from '../../store/postgres/postgres-scene.test-support.ts';
import { START_MS, StoreScene } from '../../store/suite/store-scene.test-support.ts';
import { exchangeBesideAnotherProvider } from './exchange-beside-another-provider.test-support.ts';
import { openWatchOn, type WatchScene } from './watch-scene.test-support.ts';

/** Two processes, of which another one looks each time. */
async function openTwoProcesses(): Promise<WatchScene> {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  let passedMs = 0;
  const clock = { nowMs: () => START_MS + passedMs };
  const stores = [await openStore(address, { clock }), await openStore(address, { clock })];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  let looks = 0;
  const scene = await openWatchOn({
    clock,
    pass: (ms) => void (passedMs += ms),
    logged: [],
    store: () => stores[looks % stores.length],
    tenant: () => new StoreScene(withoutZones(stores[0])).newAccount(),
  });
  return {
    ...scene,
    lookAfter: async (seconds) => {
      looks++;
      await scene.startWatchAgain();
      await scene.lookAfter(seconds);
    },
  };
}

test('beside another provider, each step also waits for its nameservers, whichever process looks', async () => {
  await exchangeBesideAnotherProvider(await openTwoProcesses());
});
