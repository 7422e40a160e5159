import { expect, test, vi } from 'vitest';
import { HashSum } from '../../base/hash-sum.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord, subtractRecord, type HashedRecord } from '../../model/zone-hash.ts';
import type { Change } from '../../writes/change.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import {
  allChanges,
  newRecord,
  StoreScene,
  type OpenStore,
  type StoreFixture,
} from './store-scene.test-support.ts';

/** The hash of each zone, kept with every write. */
export function hashSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('the hash of every domain is that of its records', async () => {
    const hashes = await readHashes(fixture());
    expect(hashes.size).toBeGreaterThan(10);
    expect(hashes).toEqual(hashesOf(await allChanges(scene().store)));
  });
}

/** Hashes that a store of an earlier version, or a process of one, has left out. */
export function hashLifeSuite(newFixture: () => Promise<StoreFixture>): void {
  test.each([
    ['were never kept', 'UPDATE domains SET content_hash = NULL, hashed_serial = NULL RETURNING id'],
    [
      'belong to a former serial',
      "UPDATE domains SET content_hash = 'x', hashed_serial = serial - 1 RETURNING id",
    ],
  ])('hashes that %s are found by upkeep, and kept from then on', async (_, sql) => {
    const fixture = await newFixture();
    const before = await fixture.open();
    const tenant = await new StoreScene(before).newAccount();
    const [small, large] = [await tenant.createDomain(), await tenant.createDomain()];
    await tenant.create(small.name, newRecord('www'));
    await Promise.all(
      Array.from({ length: 700 }, (__, index) => tenant.create(large.name, newRecord(`r${index}`))),
    );
    await before.close();
    expect(await fixture.query(sql)).toHaveLength(2);
    await fixture.noteEarlierVersion();

    const after = await fixture.open();
    await expectHashes(after, fixture);
    await new StoreScene(after).store.write({
      kind: 'createRecord',
      author: tenant.author,
      domain: small.name,
      record: newRecord('mail'),
    });
    await expectHashes(after, fixture);
    await after.close();
    await fixture.remove();
  });

  test('a write to a domain whose hash is not known leaves it unknown', async () => {
    const fixture = await newFixture();
    const store = await fixture.open();
    const tenant = await new StoreScene(store).newAccount();
    const { id, name } = await tenant.createDomain();
    await fixture.query("UPDATE domains SET content_hash = 'x', hashed_serial = serial - 1 RETURNING id");
    await tenant.create(name, newRecord('www'));
    expect(await fixture.query(`SELECT content_hash FROM domains WHERE id = ${id}`)).toEqual([[null]]);
    await store.close();
    await fixture.remove();
  });
}

/** Rows that were changed on the disk, past the store. */
export function damageSuite(newFixture: () => Promise<StoreFixture>): void {
  test.each([3, LARGE_ROWS + 1])(
    'a damaged domain of %i records has the right hash again when all its records are replaced',
    async (count) => {
      const fixture = await newFixture();
      const store = await fixture.open();
      const tenant = await new StoreScene(store).newAccount();
      const { id, name } = await tenant.createDomain();
      const records = Array.from({ length: count }, (_, index) => newRecord(`r${index}`, index % 256));
      const replace = () =>
        store.write({
          kind: 'importZone',
          author: tenant.author,
          domain: name,
          records,
          mode: 'replace',
          soa: null,
        });
      await replace();
      expect(await readHashes(fixture)).toEqual(new Map([[id, sumOf(records)]]));
      for (const sql of [
        "UPDATE records SET rdata = (SELECT rdata FROM records WHERE owner = 'r1') WHERE owner = 'r0'",
        "UPDATE records SET ttl = 1 WHERE owner = 'r1'",
        "DELETE FROM records WHERE owner = 'r2'",
      ])
        await fixture.query(`${sql} RETURNING id`);
      await replace();
      expect(await readHashes(fixture)).toEqual(new Map([[id, sumOf(await readStored(fixture))]]));
      const served = new Map(await readServed(fixture));
      expect(served).toEqual(new Map(records.map(({ owner, ttl, rdata }) => [owner, [ttl, hex(rdata)]])));
      await store.close();
      await fixture.remove();
    },
  );
}

async function readStored(fixture: StoreFixture): Promise<HashedRecord[]> {
  const rows = await fixture.query('SELECT id, owner, type, ttl, rdata FROM records');
  return (rows as [string, OwnerKey, number, number, Uint8Array][]).map(([id, owner, type, ttl, rdata]) => ({
    id,
    owner,
    type,
    ttl,
    rdata,
  }));
}

async function readServed(fixture: StoreFixture): Promise<[OwnerKey, [ttl: number, rdata: string]][]> {
  return (await readStored(fixture)).map(({ owner, ttl, rdata }) => [owner, [ttl, hex(rdata)]]);
}

function sumOf(records: readonly HashedRecord[]): string {
  const sum = new HashSum();
  for (const record of records) addRecord(sum, record);
  return sum.toString();
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

async function expectHashes(store: OpenStore, fixture: StoreFixture): Promise<void> {
  const expected = hashesOf(await allChanges(store));
  await vi.waitFor(async () => expect(await readHashes(fixture)).toEqual(expected), { timeout: 10_000 });
}

async function readHashes(fixture: StoreFixture): Promise<Map<number, unknown>> {
  const rows = await fixture.query('SELECT id, content_hash FROM domains WHERE hashed_serial = serial');
  return new Map(rows as [number, unknown][]);
}

/** Replays the feed. */
function hashesOf(changes: readonly Change[]): Map<number, unknown> {
  const sums = new Map<number, HashSum>();
  const all = new Map<number, HashSum>();
  for (const { kind, domainId, record } of changes) {
    const sum = all.get(domainId) ?? new HashSum();
    all.set(domainId, sum);
    sums.set(domainId, sum);
    if (kind === 'domainDelete') sums.delete(domainId);
    else if (kind === 'recordPut' && record !== null) addRecord(sum, record);
    else if (kind === 'recordDelete' && record !== null) subtractRecord(sum, record);
  }
  return new Map(Array.from(sums, ([id, sum]) => [id, sum.toString()]));
}
