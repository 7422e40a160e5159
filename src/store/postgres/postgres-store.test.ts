import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import {
  StoreScene,
  Tenant,
  allChanges,
  newName,
  newRecord,
  valueOf,
  type StoreFixture,
} from '../suite/store-scene.test-support.ts';
import { StoreOpenError } from '../store.ts';
import { importZone } from '../suite/change-scene.test-support.ts';
import { storeSuite } from '../suite/store-suite.test-support.ts';
import { connectPostgres } from './postgres-connection.ts';
import { newPostgres, newPostgresFixture, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { writerLimits } from './postgres-writer.ts';

storeSuite('PostgreSQL', newPostgresFixture);

describe('two processes on one database', () => {
  let database: Awaited<ReturnType<typeof newPostgres>>;
  let stores: PostgresStore[];
  let tenants: Tenant[];

  beforeAll(async () => {
    database = await newPostgres();
    stores = await Promise.all([openStore(database.address), openStore(database.address)]);
    const scenes = stores.map((store) => new StoreScene(withoutZones(store)));
    const { account, key } = await scenes[0].newAccount();
    tenants = scenes.map((scene) => new Tenant(scene, account, key));
  });

  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  });

  test('that start together migrate once and both become ready', () => {
    expect(stores.map((store) => store.isReady())).toEqual([true, true]);
  });

  test('that create the same domains and records concurrently create each once and agree on the ids', async () => {
    const names = Array.from({ length: 30 }, newName);
    const domains = await Promise.all(names.map((name) => onBoth((tenant) => createDomain(tenant, name))));
    const records = await Promise.all(
      names.map((name) => onBoth((tenant) => tenant.create(name, newRecord('www')))),
    );
    for (const results of [...domains, ...records]) {
      const [one, two] = results.map((result) => valueOf<{ id: unknown }>(result as never));
      expect(one.id).toBe(two.id);
      expect(results.map((result) => result.ok && result.changed).sort()).toEqual([false, true]);
    }
    const changes = await allChanges(stores[0]);
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
    expect(changes.filter(({ kind }) => kind === 'recordPut')).toHaveLength(names.length);
  });

  test('that create a domain for two accounts give it to one of them', async () => {
    const other = await new StoreScene(withoutZones(stores[1])).newAccount();
    for (const name of Array.from({ length: 20 }, newName)) {
      const results = await Promise.all([createDomain(tenants[0], name), createDomain(other, name)]);
      const codes = results.map((result) => (result.ok ? 'created' : result.refusal.code));
      expect(codes.sort()).toEqual(['created', 'domain_taken']);
    }
  });

  function onBoth<T>(write: (tenant: Tenant) => Promise<T>): Promise<T[]> {
    return Promise.all(tenants.map(write));
  }

  function createDomain(tenant: Tenant, name: ZoneName) {
    const { author, scene } = tenant;
    return scene.store.write({ kind: 'createDomain', author, name, address: null, nameservers: [] });
  }
});

test('a page of the history reads nothing of the history of other domains', async () => {
  const place = await newPostgresFixture();
  const scene = new StoreScene(await place.open());
  const [tenant, other] = [await scene.newAccount(), await scene.newAccount()];
  const [domain, large] = [await tenant.createDomain(newName()), await other.createDomain(newName())];
  await importZone(
    other,
    large,
    Array.from({ length: 5000 }, (_, i) => newRecord(`h${i}`)),
  );
  await importZone(
    tenant,
    domain,
    Array.from({ length: 100 }, (_, i) => newRecord(`h${i}`)),
  );
  await importZone(tenant, domain, []);
  await place.query('ANALYZE changes');
  await scene.store.close();
  const before = await countRowsRead(place);
  const store = await place.open();
  for (let read = 0; read < 12; read++) {
    const last = { direction: 'before', key: null, limit: 3 } as const;
    const page = await store.listChanges(domain, last);
    expect(page.rows).toHaveLength(3);
    const filtered = await store.listChanges(domain, last, { actor: tenant.key.id, fromMs: 1 });
    expect(filtered.rows).toEqual(page.rows);
  }
  await store.close();
  expect((await countRowsRead(place)) - before).toBeLessThan(5000);
  await place.remove();
});

/** Counts the rows of the feed that sessions have read one after the other; complete for those that have ended. */
async function countRowsRead(place: StoreFixture): Promise<number> {
  const [row] = await place.query("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'changes'");
  return Number((row as [unknown])[0]);
}

test('tables of a newer version are refused at startup with one sentence', async () => {
  const { address, remove } = await newPostgres();
  const store = await openStore(address);
  await store.close();
  const connection = await connectPostgres(address, writerLimits);
  await connection.query("INSERT INTO zonewright_schema VALUES (99, 'later', 0)");
  await connection.close();
  await expect(openStore(address)).rejects.toThrow(StoreOpenError);
  await remove();
});

test('a search for text with NUL finds nothing', async () => {
  const place: StoreFixture = await newPostgresFixture();
  const scene = new StoreScene(await place.open());
  const tenant = await scene.newAccount();
  const domain = await tenant.createDomain();
  const [refused, good] = await Promise.all([
    tenant.delete(domain.name, 'a\0b'),
    tenant.create(domain.name, newRecord('www')),
  ]);
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'unknown_record' } });
  expect(good).toMatchObject({ ok: true });
  const { store } = scene;
  expect(await store.findRecord(domain.id, '\0')).toBeUndefined();
  expect(await store.findAccount('\0')).toBeUndefined();
  const page = await store.listRecords(domain, { direction: 'after', key: '\0', limit: 10 });
  expect(page).toMatchObject({ rows: [{ name: 'www' }], hasBefore: false, total: 1 });
  await store.close();
  await place.remove();
});
