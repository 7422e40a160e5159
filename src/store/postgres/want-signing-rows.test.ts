import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishSteps } from '../../base/steps.ts';
import type { Denial } from '../../dns/proven-types.ts';
import type { Command } from '../../writes/command.ts';
import { PendingBatch } from '../../writes/pending-batch.ts';
import { runBatch } from '../../writes/run-batch.ts';
import { openSigning, signingMoment } from '../signing-settings.ts';
import { enableSigning, suiteSigning } from '../suite/signed-scene.test-support.ts';
import { newName, newRecord, sceneClock, StoreScene } from '../suite/store-scene.test-support.ts';
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { RowLoader } from './row-loader.ts';
import { hashNameOf } from './want-signing-rows.ts';

let database: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let connection: PostgresConnection;

beforeAll(async () => {
  database = await newPostgres();
  store = await openStore(database.address);
  const limits = { statementMs: 5000, lockMs: 5000, idleInTransactionMs: 5000 };
  connection = await connectPostgres(database.address, limits);
});

afterAll(async () => {
  await connection.close();
  await store.close();
  await database.remove();
});

test.each([
  ['nsec', 2],
  // The name before a hash is known only when it is found.
  ['nsec3', 3],
] as [Denial, number][])(
  'a change of a domain signed with %s is decided with %i rounds of rows',
  async (denial, rounds) => {
    const tenant = await new StoreScene(withoutZones(store)).newAccount();
    const records = ['', 'www', 'a.b', 'c.b', 'z'].map((owner) => newRecord(owner));
    const { name } = await tenant.createDomain(newName(), records);
    await enableSigning(tenant, name, denial);
    const { author } = tenant;
    const commands: Command[] = [
      ...['new', 'new.below.it', 'd.b', 'zz', '*.b'].map(
        (owner) => ({ kind: 'createRecord', author, domain: name, record: newRecord(owner) }) as const,
      ),
      ...records.map(({ id }) => ({ kind: 'deleteRecord', author, domain: name, recordId: id }) as const),
    ];
    for (const command of commands) expect(await missesAfter(rounds, command)).toBe(0);
    expect(await missesAfter(rounds, ...commands)).toBe(0);
  },
);

/** Decides commands without committing them; returns how many statements would have to fetch more rows. */
async function missesAfter(rounds: number, ...commands: readonly Command[]): Promise<number> {
  const signing = openSigning(suiteSigning, () => signingMoment({ clock: sceneClock }))();
  const loader = new RowLoader(commands, false, hashNameOf(signing));
  const counters = { lastSeq: 100, lastDomainId: 100, accountCount: 1, keyCount: 1, domainCount: 1 };
  for (let round = 1; round <= rounds; round++) {
    finishSteps(loader.take(await connection.pipeline(loader.statements())));
    if (round === 1) continue;
    const batch = new PendingBatch(loader.reader, counters, undefined, true, signing);
    finishSteps(runBatch(commands, batch, () => false));
  }
  return loader.statements().length;
}
