import { afterEach, beforeEach, expect, test } from 'vitest';
import { HashSum } from '../../base/hash-sum.ts';
import type { ZoneName } from '../../model/domain.ts';
import { addZone } from '../../model/zone-hash.ts';
import { newRecord, StoreScene, type Tenant } from '../suite/store-scene.test-support.ts';
import { DIGEST_COLUMNS, toDigest, valueOfDigest, type DigestRow } from './directory-digest.ts';
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';

let place: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let connection: PostgresConnection;
let tenant: Tenant;

beforeEach(async () => {
  place = await newPostgres();
  store = await openStore(place.address);
  connection = await connectPostgres(place.address, {
    statementMs: 5000,
    lockMs: 5000,
    idleInTransactionMs: 5000,
  });
  tenant = await new StoreScene(withoutZones(store)).newAccount();
});

afterEach(async () => {
  await connection.close();
  await store.close();
  await place.remove();
});

test('the digest of a new store is kept with every batch', async () => {
  const one = await tenant.createDomain();
  const two = await tenant.createDomain();
  await tenant.create(one.name, newRecord('www'));
  await expectDigest();
  await tenant.deleteDomain(two.name);
  await expectDigest();
  await store.write({
    kind: 'updateDomain',
    author: tenant.author,
    name: one.name,
    soaPrimary: 'ns1.example.net',
  });
  await store.write({ kind: 'restoreDomain', author: tenant.author, name: two.name });
  await expectDigest();
  const withheld = { author: tenant.author, reason: 'suspended', domains: [one] } as const;
  const before = await readDigest();
  await store.write({ kind: 'withholdDomains', ...withheld });
  await expectDigest();
  expect(await readDigest()).not.toBe(before);
  await store.write({ kind: 'releaseDomains', ...withheld });
  expect(await readDigest()).toBe(before);
});

test('a batch of the previous version makes the digest unknown, until upkeep has found it', async () => {
  const { id, name } = await tenant.createDomain();
  await connection.query('UPDATE counters SET last_seq = last_seq + 1');
  await connection.query(`UPDATE domains SET serial = serial + 1 WHERE id = ${id}`);
  expect(await readDigest()).toBeNull();
  await tenant.create(name, newRecord('www'));
  await tenant.createDomain();
  expect(await readDigest()).toBeNull();
  await store.tidy();
  await expectDigest();
  await tenant.create(name, newRecord('mail'));
  await expectDigest();
});

test('upkeep finds the digest of a store with a withheld domain', async () => {
  const domain = await tenant.createDomain();
  const withheld = { author: tenant.author, reason: 'suspended', domains: [domain] } as const;
  await store.write({ kind: 'withholdDomains', ...withheld });
  await connection.query(
    'UPDATE counters SET digest_base = NULL, digest_sum = DEFAULT, digest_from = last_seq',
  );
  await store.tidy();
  await expectDigest();
});

test('a restored domain whose hash is not known makes the digest unknown, until upkeep has found both', async () => {
  const { name } = await tenant.createDomain();
  await tenant.create(name, newRecord('www'));
  await tenant.createDomain();
  await tenant.deleteDomain(name);
  await expectDigest();
  await connection.query('UPDATE deleted_domains SET content_hash = NULL');
  await store.write({ kind: 'restoreDomain', author: tenant.author, name });
  expect(await readDigest()).toBeNull();
  await tenant.create(name, newRecord('mail'));
  expect(await readDigest()).toBeNull();
  await store.tidy();
  await expectDigest();
  expect((await connection.query('SELECT FROM domains WHERE content_hash IS NULL')).rowCount).toBe(0);
});

/** The digest is that of the rows, and the last batch has it. */
async function expectDigest(): Promise<void> {
  type Row = [number, ZoneName, number, string | null, string | null, string, boolean];
  const { rows } = await connection.query<Row>(
    `SELECT id, name, serial, soa_primary, soa_email, content_hash, withheld IS NOT NULL
     FROM domains WHERE hashed_serial = serial`,
  );
  const sum = new HashSum();
  for (const [domainId, name, serial, soaPrimary, soaEmail, hash, isWithheld] of rows)
    addZone(sum, { domainId, name, serial, soaPrimary, soaEmail, isWithheld }, hash);
  expect(await readDigest()).toBe(sum.toString());
  const batches = await connection.query('SELECT digest FROM batches ORDER BY last_seq DESC LIMIT 1');
  expect(batches.rows).toEqual([[sum.toString()]]);
}

async function readDigest(): Promise<string | null> {
  const { rows } = await connection.query<[...DigestRow, lastSeq: number]>(
    `SELECT ${DIGEST_COLUMNS}, last_seq FROM counters`,
  );
  const [sum, base, fromSeq, seq, lastSeq] = rows[0];
  return valueOfDigest(toDigest([sum, base, fromSeq, seq], lastSeq));
}
