import { expect, test, vi } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Denial } from '../../dns/proven-types.ts';
import { RENEWAL_INTERVAL_SECONDS } from '../../dnssec/signature-times.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { importZone, readRecords } from './change-scene.test-support.ts';
import { clockSuite } from './clock-suite.test-support.ts';
import { rolloverSuite } from './rollover-suite.test-support.ts';
import { signalSuite } from './signal-suite.test-support.ts';
import { presignedSuite } from './presigned-suite.test-support.ts';
import { slicesSuite } from './slices-suite.test-support.ts';
import { zoneKeySuite } from './zone-key-suite.test-support.ts';
import { checkServed, newDelegation, newSigned } from './signed-scene.test-support.ts';
import { newRecord, StoreScene, type StoreFixture } from './store-scene.test-support.ts';

const denials: readonly Denial[] = ['nsec', 'nsec3'];

/** Signed domains: their zones hold after every kind of write, on every way that it takes. */
export function signedSuite(scene: () => StoreScene): void {
  signedRowsSuite(scene);
  renewalSuite(scene);
  rolloverSuite(scene);
  signalSuite(scene);
  zoneKeySuite(scene);
  presignedSuite(scene);
  slicesSuite(scene);
  clockSuite(scene);

  test.each(denials)('a zone signed with %s holds after every write', async (denial) => {
    const { tenant, name } = await newSigned(scene(), denial);
    const expectRight = (): void => expect(checkServed(scene().store, name, denial)).toEqual([]);
    expectRight();
    const record = newRecord('new.below.it');
    await tenant.create(name, record);
    expectRight();
    await tenant.update(name, record.id, { name: 'moved' });
    await tenant.update(name, record.id, { ttl: 60 });
    expectRight();
    const cut = newDelegation('it');
    await tenant.create(name, cut);
    await tenant.create(name, newRecord('glue.it'));
    expectRight();
    await tenant.delete(name, cut.id);
    expectRight();
    const many = ['x', 'y', 'x.y', 'z.x.y'].map((owner) => newRecord(owner));
    await Promise.all(many.map((each) => tenant.create(name, each)));
    expectRight();
    await Promise.all(many.map(({ id }) => tenant.delete(name, id)));
    expectRight();
  });

  test.each(denials)(
    'a zone signed with %s holds after large writes and a revert',
    async (denial) => {
      const { tenant, name, serial } = await newSigned(scene(), denial);
      const before = await readRecords(scene(), tenant, await tenant.get(name));
      // Few names: the check looks at each pair of them.
      const many = Array.from({ length: LARGE_ROWS + 5 }, (_, at) =>
        newRecord(`h${Math.floor(at / 100)}.at`, at % 100),
      );
      expect(await importZone(tenant, { name }, many, { mode: 'merge' })).toMatchObject({ ok: true });
      expect(checkServed(scene().store, name, denial)).toEqual([]);
      expect(await tenant.get(name)).toMatchObject({ recordCount: many.length + before.length });
      const { author } = tenant;
      await scene().must({ kind: 'revertRecords', author, domain: name, to: serial });
      expect(await readRecords(scene(), tenant, await tenant.get(name))).toEqual(before);
      expect(checkServed(scene().store, name, denial)).toEqual([]);
      expect(await importZone(tenant, { name }, many)).toMatchObject({ ok: true });
      expect(checkServed(scene().store, name, denial)).toEqual([]);
    },
    60_000,
  );
}

function signedRowsSuite(scene: () => StoreScene): void {
  test('a large write that is refused because the domain is signed changes nothing', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const before = await tenant.get(name);
    const many = Array.from({ length: LARGE_ROWS + 1 }, (_, at) => newRecord(`h${at}`));
    const cut = newDelegation('*.cuts');
    expect(await importZone(tenant, { name }, [...many, cut], { mode: 'merge' })).toMatchObject({
      ok: false,
      refusal: { code: 'record_conflict' },
    });
    expect(await tenant.get(name)).toEqual(before);
    expect(checkServed(scene().store, name, 'nsec')).toEqual([]);
  });

  test('a deleted domain keeps its keys and signatures, and is served with them when it is restored', async () => {
    const { tenant, name, key } = await newSigned(scene(), 'nsec');
    const { store } = scene();
    const { id } = await tenant.get(name);
    await tenant.deleteDomain(name);
    expect(await store.findDeletedDomain(tenant.account.id, name)).toMatchObject({ denial: 'nsec' });
    expect(await store.signing.zoneKeys({ id })).toEqual([key]);
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect(restored).toMatchObject({ id, denial: 'nsec' });
    expect(checkServed(store, name, 'nsec')).toEqual([]);
  });

  test('signing that is switched off leaves the records of the customer and no key', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec3');
    const { author } = tenant;
    const before = await readRecords(scene(), tenant, await tenant.get(name));
    await scene().must({
      kind: 'updateDomain',
      author,
      name,
      dnsSec: { wanted: 'disabled', force: true, id: 'withdrawal' },
    });
    const domain = await tenant.get(name);
    expect(domain).toMatchObject({ denial: null, renewAtSeconds: null, recordCount: before.length });
    const served = [...(scene().store.readZone(name)?.records ?? [])];
    expect(served).toHaveLength(before.length);
  });

  test('customers see only their own records and changes of a signed domain', async () => {
    const { tenant, name, records } = await newSigned(scene(), 'nsec3');
    const { store } = scene();
    const domain = await tenant.get(name);
    const page = { direction: 'after', key: null, limit: 99 } as const;
    const listed = await store.listRecords(domain, page);
    expect(listed.rows.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
    expect(listed.total).toBe(records.length);
    const found = await store.searchRecords(tenant.account.id, page, { search: name });
    expect(found.total).toBe(records.length);
    const { rows } = await store.listChanges(domain, page);
    expect(rows.map(({ action }) => action)).toEqual([
      'domainUpdate',
      ...records.map(() => 'create'),
      'domainCreate',
    ]);
    const quota = await store.findQuota(tenant.account.id);
    expect(quota?.usage).toMatchObject({ records: records.length, octets: domain.octets });
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
  });
}

function renewalSuite(scene: () => StoreScene): void {
  test('a domain is found when it is due for renewal', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const { signing } = scene().store;
    const { id, renewAtSeconds } = await tenant.get(name);
    const due = await signing.domainsDueForRenewal(renewAtSeconds ?? 0, 1000);
    expect(due).toContainEqual({ id, name, renewAtSeconds });
    const earlier = await signing.domainsDueForRenewal((renewAtSeconds ?? 0) - 1, 1000);
    expect(earlier.map((domain) => domain.name)).not.toContain(name);
    const clockSteppedBack = (renewAtSeconds ?? 0) - RENEWAL_INTERVAL_SECONDS - 1;
    const ahead = await signing.domainsDueForRenewal(clockSteppedBack, 1000);
    expect(ahead).toContainEqual({ id, name, renewAtSeconds });
    const last = ahead.at(-1);
    assert(last !== undefined, 'a domain is due');
    expect(await signing.domainsDueForRenewal(clockSteppedBack, 1000, last)).toEqual([]);
    expect(await signing.countDueForRenewal(clockSteppedBack, 1000)).toBe(ahead.length);
  });
}

/** Signed domains and upkeep. */
export function signedLifeSuite(newFixture: () => Promise<StoreFixture>): void {
  test('upkeep finds the hash that a signed domain had, and its octets', async () => {
    const fixture = await newFixture();
    const before = new StoreScene(await fixture.open());
    const { tenant, name } = await newSigned(before, 'nsec');
    const { octets } = await tenant.get(name);
    await before.store.close();
    const hashes = () => fixture.query('SELECT content_hash, hashed_serial, octets FROM domains');
    const expected = await hashes();
    await fixture.query('UPDATE domains SET content_hash = NULL RETURNING 1');
    await fixture.noteEarlierVersion();
    const store = await fixture.open();
    await vi.waitFor(async () => expect(await hashes()).toEqual(expected), { timeout: 10_000 });
    expect(await store.findDomain(tenant.account.id, name)).toMatchObject({ octets });
    expect(checkServed(store, name, 'nsec')).toEqual([]);
    await store.close();
    await fixture.remove();
  });

  test('the keys of a deleted domain are purged with its records', async () => {
    const fixture = await newFixture();
    const before = new StoreScene(await fixture.open());
    const { tenant, name } = await newSigned(before, 'nsec');
    await tenant.deleteDomain(name);
    await before.store.close();
    expect(await fixture.query('SELECT count(*) FROM zone_keys')).toEqual([[1]]);
    await fixture.query('UPDATE deleted_domains SET deleted_at = NULL RETURNING 1');
    const store = await fixture.open();
    const left = async () => [
      await fixture.query('SELECT count(*) FROM zone_keys'),
      await fixture.query('SELECT count(*) FROM records'),
    ];
    await vi.waitFor(async () => expect(await left()).toEqual([[[0]], [[0]]]), { timeout: 10_000 });
    await store.close();
    await fixture.remove();
  });
}
