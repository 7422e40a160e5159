import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Denial } from '../../dns/proven-types.ts';
import type { ZoneName } from '../../model/domain.ts';
import { generatedType } from '../../model/generated-row.ts';
import type { SigningWork } from '../../model/signing-work.ts';
import { importZone } from './change-scene.test-support.ts';
import {
  checkServed,
  enableSigning,
  newDelegation,
  newZoneKey,
  SUITE_NAMES_AT_ONCE,
} from './signed-scene.test-support.ts';
import { newId, newName, newRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';

const other = { nsec: 'nsec3', nsec3: 'nsec' } as const;

/** Domains that are too large to be signed by one write. */
export function slicesSuite(scene: () => StoreScene): void {
  test.each(['nsec', 'nsec3'] as const)(
    'a large domain is signed in slices, and gets another chain (%s)',
    async (denial) => {
      const large = await newLarge(scene());
      await checkSigned(large, denial);
      await checkChain(large, other[denial]);
    },
    120_000,
  );

  test.each(['nsec', 'nsec3'] as const)(
    'a large domain is signed with another key in slices, and loses its signatures (%s)',
    async (denial) => {
      const large = await newLarge(scene());
      await enableSigning(large.tenant, large.name, denial);
      await finish(large, () => Promise.resolve());
      await checkRollover(large, denial);
      await checkRemoved(large);
    },
    120_000,
  );

  test('a half-signed domain can be deleted, restored and no longer be wanted', async () => {
    const large = await newLarge(scene());
    const { tenant, name, id } = large;
    await enableSigning(tenant, name, 'nsec');
    const { author } = tenant;
    for (let slices = 0; slices < 4; slices++) {
      const work = await findWork(large);
      assert(work !== undefined, 'work is left');
      await scene().must({ kind: 'signSlice', domain: name, work });
    }
    const work = await findWork(large);
    await tenant.deleteDomain(name);
    expect(await findWork(large)).toBeUndefined();
    await scene().must({ kind: 'restoreDomain', author, name });
    expect(await findWork(large)).toEqual(work);
    const dnsSec = { wanted: 'disabled', force: false, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec });
    expect(await scene().store.signing.zoneKeys({ id })).toEqual([]);
    await finish(large, () => Promise.resolve());
    expect(generatedRows(large)).toEqual([]);
  }, 60_000);
}

interface Large {
  readonly tenant: Tenant;
  readonly name: ZoneName;
  readonly id: number;
}

/** The work that is left, as those who carry it on find it. */
async function findWork({ tenant, id }: Large): Promise<SigningWork | undefined> {
  const found = await tenant.scene.store.signing.domainsInSigning(1, id - 1);
  return found.find((domain) => domain.id === id)?.work;
}

/** Takes all slices; `between` follows each. Returns their number. */
async function finish(large: Large, between: (slices: number) => Promise<void>): Promise<number> {
  for (let slices = 0; ; slices++) {
    const work = await findWork(large);
    if (work === undefined) return slices;
    const taken = await large.tenant.scene.must({ kind: 'signSlice', domain: large.name, work });
    expect(taken.moved).toBe(true);
    await between(slices);
  }
}

function generatedRows({ tenant, name }: Large) {
  const zone = tenant.scene.store.readZone(name);
  assert(zone !== undefined, 'the domain is hosted');
  const { signatures, unfinished } = generatedType;
  return [...zone.records].filter(({ type }) => type >= signatures && type <= unfinished);
}

/** Those that make the zone a signed one. */
function apexRows(large: Large) {
  return generatedRows(large).filter(({ owner, type }) => owner === '' && type !== generatedType.unfinished);
}

async function checkSigned(large: Large, denial: Denial): Promise<void> {
  const { tenant, name } = large;
  const { scene } = tenant;
  await enableSigning(tenant, name, denial);
  expect(await tenant.get(name)).toMatchObject({ denial: null, signingWork: { kind: 'sign', denial } });
  const before = await findWork(large);
  assert(before !== undefined, 'work is found');
  const slices = await finish(large, async (at) => {
    await writeBetween(tenant, name, at);
    if ((await findWork(large)) === undefined) return;
    expect(apexRows(large)).toEqual([]);
  });
  expect(slices).toBeGreaterThan(5);
  expect(await tenant.get(name)).toMatchObject({ denial, signingWork: null });
  expect(checkServed(scene.store, name, denial)).toEqual([]);
  // A slice that another process has taken changes nothing.
  const { serial } = await tenant.get(name);
  const again = await scene.must({ kind: 'signSlice', domain: name, work: before });
  expect(again).toEqual({ moved: false, work: null });
  expect(await tenant.get(name)).toMatchObject({ serial });
}

async function checkChain(large: Large, denial: Denial): Promise<void> {
  const { tenant, name } = large;
  const { author, scene } = tenant;
  await scene.must({ kind: 'changeDenial', author, domain: name, denial });
  await finish(large, (at) => writeBetween(tenant, name, at));
  expect(await tenant.get(name)).toMatchObject({ denial, signingWork: null });
  expect(checkServed(scene.store, name, denial)).toEqual([]);
}

async function checkRollover(large: Large, denial: Denial): Promise<void> {
  const { tenant, name, id } = large;
  const { author, scene } = tenant;
  const rolloverId = newId();
  await scene.must({ kind: 'startRollover', author, domain: name, id: rolloverId, key: newZoneKey() });
  const move = { kind: 'moveRollover', domain: name, id: rolloverId, to: 'next' } as const;
  for (const step of ['published', 'announced'] as const) await scene.must({ ...move, step });
  expect(await scene.must({ ...move, step: 'signed' })).toEqual({ moved: false });
  await finish(large, () => Promise.resolve());
  const keys = await scene.store.signing.zoneKeys({ id });
  const { serial } = await tenant.get(name);
  expect(keys.find((key) => key.rollover !== null)?.rollover).toMatchObject({ serial });
  expect(await scene.must({ ...move, step: 'signed' })).toEqual({ moved: true });
  expect(checkServed(scene.store, name, denial)).toEqual([]);
}

async function checkRemoved(large: Large): Promise<void> {
  const { tenant, name } = large;
  const { author, scene } = tenant;
  const dnsSec = { wanted: 'disabled', force: true, id: newId() } as const;
  await scene.must({ kind: 'updateDomain', author, name, dnsSec });
  expect(await tenant.get(name)).toMatchObject({ denial: null, signingWork: { kind: 'remove' } });
  expect(apexRows(large)).toEqual([]);
  await finish(large, (at) => writeBetween(tenant, name, at));
  expect(await tenant.get(name)).toMatchObject({ denial: null, signingWork: null });
  expect(generatedRows(large)).toEqual([]);
}

async function newLarge(scene: StoreScene): Promise<Large> {
  const tenant = await scene.newAccount();
  const { name, id } = await tenant.createDomain(newName());
  const many = Array.from({ length: SUITE_NAMES_AT_ONCE + 30 }, (_, at) =>
    newRecord(at % 5 === 0 ? `h${at}.a.b` : `h${at}`, at),
  );
  const cuts = [newDelegation('sub'), newRecord('ns.sub', 6), newRecord('*.wild', 5)];
  expect(await importZone(tenant, { name }, [...many, ...cuts])).toMatchObject({ ok: true });
  return { tenant, name, id };
}

/** Writes before, at and behind the place that has been reached. */
async function writeBetween(tenant: Tenant, name: ZoneName, slices: number): Promise<void> {
  if (slices > 6) return;
  const records = [newRecord(`aa${slices}`), newRecord(`zz${slices}.deep.er`), newDelegation(`cut${slices}`)];
  for (const record of records) await tenant.create(name, record);
  await tenant.delete(name, records[slices % 3].id);
  await tenant.create(name, newRecord(`h${slices}`, 200 + slices));
  for (const [at, record] of records.entries()) if (at !== slices % 3) await tenant.delete(name, record.id);
}
