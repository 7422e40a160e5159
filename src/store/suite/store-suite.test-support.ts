// The tests that every storage engine must pass. To put an engine through them, call storeSuite() in the engine's test file
// with a function that creates a fixture for an empty store (see sqlite-store.test.ts and postgres-scene.test-support.ts).
// Each suite tests one subject and uses only the interfaces Store and ZoneSource.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessSuite } from './access-suite.test-support.ts';
import { accountLifeSuite } from './account-life-suite.test-support.ts';
import { accountWriteSuite } from './account-write-suite.test-support.ts';
import { factorSuite } from './factor-suite.test-support.ts';
import { identitySuite } from './identity-suite.test-support.ts';
import { peopleSuite } from './people-suite.test-support.ts';
import { batchSuite } from './batch-suite.test-support.ts';
import { preconditionSuite } from './condition-suite.test-support.ts';
import { feedSuite } from './feed-suite.test-support.ts';
import { generatedRowsSuite } from './generated-rows-suite.test-support.ts';
import { damageSuite, hashLifeSuite, hashSuite } from './hash-suite.test-support.ts';
import { historySuite } from './history-suite.test-support.ts';
import { zoneImportSuite } from './import-suite.test-support.ts';
import { largeWriteSuite } from './large-write-suite.test-support.ts';
import { listSuite } from './list-suite.test-support.ts';
import { nameSuite } from './name-suite.test-support.ts';
import { quotaSuite } from './quota-suite.test-support.ts';
import { repeatSuite } from './repeat-suite.test-support.ts';
import { searchSuite } from './search-suite.test-support.ts';
import { shownSuite } from './shown-suite.test-support.ts';
import {
  START_SECONDS,
  StoreScene,
  newId,
  newKey,
  newName,
  newRecord,
  type StoreFixture,
} from './store-scene.test-support.ts';
import { signedLifeSuite, signedSuite } from './signed-suite.test-support.ts';
import { signedViewSuite } from './signed-view-suite.test-support.ts';
import { trailReadSuite } from './trail-read-suite.test-support.ts';
import { trailSuite } from './trail-suite.test-support.ts';
import { withholdLifeSuite, withholdSuite } from './withhold-suite.test-support.ts';
import { writeSuite } from './write-suite.test-support.ts';
import { zoneViewSuite } from './zone-view-suite.test-support.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

/**
 * Declares the tests of all suites for one engine.
 *
 * @param newFixture creates a fixture for an empty store
 */
export function storeSuite(engine: string, newFixture: () => Promise<StoreFixture>): void {
  describe(`the store on ${engine}`, () => {
    let fixture: StoreFixture;
    let scene: StoreScene;

    beforeAll(async () => {
      fixture = await newFixture();
      scene = new StoreScene(await fixture.open());
    });

    afterAll(async () => {
      await scene.store.close();
      await fixture.remove();
    });

    accountSuite(() => scene);
    accountWriteSuite(() => scene);
    peopleSuite(() => scene);
    trailSuite(
      () => scene,
      () => fixture,
    );
    factorSuite(
      () => scene,
      () => fixture,
    );
    identitySuite(() => scene);
    accessSuite(
      () => scene,
      () => fixture,
    );
    trailReadSuite(() => scene);
    writeSuite(() => scene);
    listSuite(() => scene);
    zoneViewSuite(() => scene);
    batchSuite(() => scene);
    zoneImportSuite(() => scene);
    preconditionSuite(() => scene);
    repeatSuite(() => scene);
    largeWriteSuite(() => scene);
    historySuite(() => scene);
    nameSuite(() => scene);
    withholdSuite(() => scene);
    quotaSuite(() => scene);
    searchSuite(() => scene);
    shownSuite(() => scene);
    feedSuite(() => scene);
    signedSuite(() => scene);
    signedViewSuite(() => scene);
    // The last one: it reads what all others have written.
    hashSuite(
      () => scene,
      () => fixture,
    );
  });

  describe(`the life of a store on ${engine}`, () => {
    lifeSuite(newFixture);
    hashLifeSuite(newFixture);
    damageSuite(newFixture);
    generatedRowsSuite(newFixture);
    signedLifeSuite(newFixture);
    withholdLifeSuite(newFixture);
  });
}

function accountSuite(scene: () => StoreScene): void {
  accountLifeSuite(scene);

  test('an account and its keys can be found', async () => {
    const { account, key } = await scene().newAccount();
    const { store } = scene();
    expect(await store.findAccount(account.id)).toEqual(account);
    expect(await store.findKeyByHash(key.hash)).toEqual(key);
    expect(await store.findAccount('nobody')).toBeUndefined();
    expect(await store.findKeyByHash('nothing')).toBeUndefined();
  });

  test('an account that must be the first is refused if there is another', async () => {
    await scene().newAccount();
    const id = newId();
    const account = { id, name: '', email: '', createdAtSeconds: START_SECONDS };
    const result = await scene().store.write({
      kind: 'createAccount',
      account,
      key: newKey(id),
      onlyFirst: true,
    });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'not_first' } });
    expect(await scene().store.findAccount(id)).toBeUndefined();
  });

  test('revoking a key leaves the other keys', async () => {
    const { account, key } = await scene().newAccount();
    const second = newKey(account.id);
    await scene().must({ kind: 'createKey', key: second });
    await scene().must({ kind: 'revokeKey', accountId: account.id, keyId: key.id });
    expect(await scene().store.findKeyByHash(key.hash)).toBeUndefined();
    const page = await scene().store.listKeys(account.id, { direction: 'after', key: null, limit: 10 });
    expect(page).toEqual({ rows: [second], hasBefore: false, hasAfter: false, total: 1 });
  });

  test('another account cannot revoke a key', async () => {
    const { account, key } = await scene().newAccount();
    const other = await scene().newAccount();
    const result = await scene().store.write({
      kind: 'revokeKey',
      accountId: other.account.id,
      keyId: key.id,
    });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'unknown_key' } });
    expect(
      (await scene().store.listKeys(account.id, { direction: 'after', key: null, limit: 10 })).total,
    ).toBe(1);
  });

  test('a key whose hash exists fails without affecting its batch', async () => {
    const { account, key } = await scene().newAccount();
    const good = newKey(account.id);
    const [bad, fine] = await Promise.allSettled([
      scene().must({ kind: 'createKey', key: { ...newKey(account.id), hash: key.hash } }),
      scene().must({ kind: 'createKey', key: good }),
    ]);
    expect(bad.status).toBe('rejected');
    expect(fine).toEqual({ status: 'fulfilled', value: { key: good } });
    expect(
      (await scene().store.listKeys(account.id, { direction: 'after', key: null, limit: 10 })).total,
    ).toBe(2);
  });
}

function lifeSuite(newFixture: () => Promise<StoreFixture>): void {
  test('a reopened store has all its data, and its ids continue', async () => {
    const fixture = await newFixture();
    const before = new StoreScene(await fixture.open());
    const tenant = await before.newAccount();
    const kept = await tenant.createDomain();
    const record = newRecord('www');
    await tenant.create(kept.name, record);
    const gone = await tenant.createDomain();
    await tenant.deleteDomain(gone.name);
    const served = before.served();
    const lastSeq = await before.store.lastSeq();
    await before.store.close();

    const after = new StoreScene(await fixture.open());
    expect(after.served()).toEqual(served);
    expect(await after.store.lastSeq()).toBe(lastSeq);
    expect(await after.store.findRecord(kept.id, record.id)).toEqual(record);
    const next = await after.must({
      kind: 'createDomain',
      author: tenant.author,
      name: gone.name,
      address: null,
      nameservers: [],
    });
    expect(next.id).toBe(gone.id + 1);
    expect(next.serial).toBeGreaterThan(START_SECONDS);
    await after.store.close();
    await fixture.remove();
  });

  test('close() answers queued writes and refuses later ones', async () => {
    const fixture = await newFixture();
    const scene = new StoreScene(await fixture.open());
    const tenant = await scene.newAccount();
    const domain = await tenant.createDomain();
    const writes = Array.from({ length: 1000 }, (_, index) =>
      tenant.create(domain.name, newRecord(`r${index}`)),
    );
    const closing = scene.store.close();
    await expect(tenant.createDomain(newName())).rejects.toThrow(StoreUnavailable);
    const results = await Promise.all(writes);
    expect(results.every(({ ok }) => ok)).toBe(true);
    await closing;
    await scene.store.close();

    const store = await fixture.open();
    expect((await store.findDomain(tenant.account.id, domain.name))?.recordCount).toBe(1000);
    await store.close();
    await fixture.remove();
  });
}
