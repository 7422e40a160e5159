import { expect, test } from 'vitest';
import { recordOctets } from '../../model/stored-octets.ts';
import { manyRecords } from '../suite/large-write-suite.test-support.ts';
import { newRecord, StoreScene } from '../suite/store-scene.test-support.ts';
import { connectPostgres } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import { writerLimits } from './postgres-writer.ts';

/** The rows as a process leaves them that does not count: one of an earlier version, or the migration itself. */
const uncount = [
  'UPDATE domains SET octets = 0, hashed_serial = NULL',
  'DELETE FROM account_usage WHERE account_id IN (SELECT id FROM accounts ORDER BY id LIMIT 1)',
  'UPDATE account_usage SET record_count = 1, octets = 7',
  'UPDATE counters SET domain_count = 0, digest_seq = -1',
];

test('upkeep counts what a process of an earlier version has written', async () => {
  const place = await newPostgres();
  const store = await openStore(place.address);
  const scene = new StoreScene(withoutZones(store));
  const [one, two] = [await scene.newAccount(), await scene.newAccount()];
  const records = [...manyRecords('r', 300), newRecord('umlaut', 1, { data: '"grüße €😀"' })];
  const [small, large] = [await one.createDomain(), await two.createDomain(undefined, records)];
  await one.create(small.name, newRecord('www'));
  const usages = () => Promise.all([one, two].map(({ account }) => store.findQuota(account.id)));
  const before = await usages();
  expect(before[1]?.usage).toMatchObject({ records: records.length });

  const connection = await connectPostgres(place.address, writerLimits);
  for (const sql of uncount) await connection.query(sql);
  await store.tidy();
  const after = await usages();
  for (const [index, quota] of after.entries()) {
    const { records: count, octets, domains } = before[index]?.usage ?? {};
    expect(quota?.usage).toMatchObject({ records: count, octets, domains });
  }
  const octets = records.reduce((sum, record) => sum + recordOctets(record), 0);
  expect(await two.get(large.name)).toMatchObject({ octets });
  expect((await connection.query('SELECT domain_count FROM counters')).rows).toEqual([[2]]);

  await two.create(large.name, newRecord('new'));
  expect((await store.findQuota(two.account.id))?.usage).toMatchObject({ records: records.length + 1 });
  await connection.close();
  await store.close();
  await place.remove();
});
