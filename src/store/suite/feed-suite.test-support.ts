import { expect, test } from 'vitest';
import {
  START_MS,
  allChanges,
  newName,
  newRecord,
  replayChanges,
  replayUpdates,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

/** The feed and the zone updates: both are complete, and following either leads to exactly the stored content. */
export function feedSuite(scene: () => StoreScene): void {
  test('a change shows who changed what, when and at which serial', async () => {
    const tenant = await scene().newAccount();
    const before = await scene().store.lastSeq();
    const nameserver = newRecord('', 1);
    const { name, id, serial } = await tenant.createDomain(newName(), [nameserver]);
    const changed = { ...nameserver, ttl: 60 };
    tenant.nowMs = START_MS + 5;
    await tenant.update(name, nameserver.id, { ttl: 60 });
    await tenant.deleteDomain(name);
    const about = { domainId: id, domain: name, keyId: tenant.key.id, head: null, record: null };
    const head = { domainId: id, name, serial, soaPrimary: null, soaEmail: null };
    const [first, second, third] = [
      { ...about, serial, atMs: START_MS },
      { ...about, serial: serial + 1, atMs: START_MS + 5 },
      { ...about, serial: serial + 2, atMs: START_MS + 5 },
    ];
    expect(await scene().store.changesAfter(before, 100)).toEqual([
      { ...first, seq: before + 1, kind: 'domainPut', head },
      { ...first, seq: before + 2, kind: 'recordPut', record: nameserver },
      { ...second, seq: before + 3, kind: 'recordDelete', record: nameserver },
      { ...second, seq: before + 4, kind: 'recordPut', record: changed },
      { ...third, seq: before + 5, kind: 'domainDelete' },
    ]);
  });

  test('a page of the feed holds at most the requested number of changes', async () => {
    const changes = await scene().store.changesAfter(0, 3);
    expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await scene().store.changesAfter(await scene().store.lastSeq(), 3)).toEqual([]);
  });

  test('after many concurrent writers, feed and updates lead to exactly the stored rows', async () => {
    const tenants = [await scene().newAccount(), await scene().newAccount()];
    const names = Array.from({ length: 4 }, newName);
    await Promise.all(Array.from({ length: 24 }, (_, seed) => writeAtRandom(seed, tenants, names)));
    const changes = await allChanges(scene().store);
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
    expect(changes.length).toBe(await scene().store.lastSeq());
    const served = scene().served();
    expect(replayUpdates(scene().updates)).toEqual(served);
    // SOA changes and record changes alike carry the serial, so the feed knows every zone's last one.
    expect(replayChanges(changes)).toEqual(served);
  });
}

const STEPS = 40;

/** Runs one writer: creations, changes and removals over few names, so that writers conflict with each other. */
async function writeAtRandom(
  seed: number,
  tenants: readonly Tenant[],
  names: readonly ReturnType<typeof newName>[],
): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[random() % values.length];
  const mine: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    const tenant = pick(tenants);
    const { author, scene } = tenant;
    const name = pick(names);
    const dice = random() % 22;
    if (dice === 0) await scene.store.write({ kind: 'deleteDomain', author, name });
    else if (dice < 4)
      await scene.store.write({ kind: 'createDomain', author, name, address: null, nameservers: [] });
    else if (dice < 6) {
      await scene.store.write({ kind: 'updateDomain', author, name, soaPrimary: `ns${step}.example.net` });
    } else if (dice < 14) {
      const record = newRecord(pick(['a', 'b', 'c', '']), random() % 5);
      const result = await tenant.create(name, record);
      if (result.ok) mine.push(result.value.id);
    } else if (dice < 17) await tenant.update(name, pick([...mine, '']), { name: pick(['a', 'b', 'd']) });
    else if (dice < 20) await tenant.delete(name, pick([...mine, '']));
    else {
      const id = dice === 20 ? undefined : pick(await deletedIds(tenant, name));
      await Promise.all([
        scene.store.write({ kind: 'deleteDomain', author, name }),
        scene.store.write({ kind: 'restoreDomain', author, name, id }),
      ]);
    }
  }
}

async function deletedIds(tenant: Tenant, name: ReturnType<typeof newName>) {
  const page = { direction: 'after', key: null, limit: 100 } as const;
  const { rows } = await tenant.scene.store.listDeletedDomains(tenant.account.id, page);
  return [0, ...rows.filter((deleted) => deleted.name === name).map(({ id }) => id)];
}

/** A linear congruential generator, which gives the same steps on every run. */
function createRandom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}
