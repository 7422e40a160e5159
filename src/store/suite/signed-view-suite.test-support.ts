import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import { compareDomainNames } from '../../dns/name.ts';
import type { Denial } from '../../dns/proven-types.ts';
import type { ZoneName } from '../../model/domain.ts';
import {
  decodeOwnerSignatures,
  decodeSignedSoa,
  generatedType,
  SOA_ID,
  SOA_OWNER,
} from '../../model/generated-row.ts';
import { ownerDomainName } from '../../model/record-name.ts';
import { VIEW_SLICE_RECORDS, type Slices, type ZoneView } from '../zone-view.ts';
import { importZone } from './change-scene.test-support.ts';
import { newSigned } from './signed-scene.test-support.ts';
import { newRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';

const denials: readonly Denial[] = ['nsec', 'nsec3'];

/** Snapshots of signed zones with their signatures. */
export function signedViewSuite(scene: () => StoreScene): void {
  chainSuite(scene);

  test.each(denials)('a view of a zone with %s shows all that is served, as it was', async (denial) => {
    const { tenant, name } = await newSigned(scene(), denial);
    await addNames(tenant, name);
    const before = rowsOf(scene(), name).filter(({ type }) => type !== generatedType.hashedName);
    const view = await openView(scene(), tenant, name);
    await tenant.create(name, newRecord('later'));
    const soa = await view.findSignedSoa();
    assert(soa !== undefined, 'the zone is signed');
    expect(decodeSignedSoa(soa.rdata)?.signatures).toHaveLength(1);
    const shown = await readAll(view.servedSlices());
    await view.close();
    expect(shown.map(({ owner, type, ttl, rdata }) => ({ owner, type, ttl, rdata }))).toEqual(before);
    expect(shown.filter(({ owner }) => owner === SOA_OWNER)).toEqual([{ ...soa, id: SOA_ID }]);
  });

  test('a view of an unsigned zone shows no chain', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain(undefined, [newRecord('www')]);
    const view = await openView(scene(), tenant, name);
    expect(await view.findSignedSoa()).toBeUndefined();
    expect(await readAll(view.chainSlices())).toEqual([]);
    expect((await readAll(view.servedSlices())).map(({ owner }) => owner)).toEqual(['www']);
    await view.close();
  });
}

function chainSuite(scene: () => StoreScene): void {
  test('a view shows the names of a chain of NSEC records in canonical order', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    await addNames(tenant, name);
    const view = await openView(scene(), tenant, name);
    const chain = await readAll(view.chainSlices());
    await view.close();
    const stored = rowsOf(scene(), name).filter(({ type }) => type === generatedType.signatures);
    const inOrder = stored.toSorted((a, b) =>
      compareDomainNames(ownerDomainName(a.owner, name), ownerDomainName(b.owner, name)),
    );
    expect(chain.length).toBeGreaterThan(VIEW_SLICE_RECORDS);
    expect(chain).toEqual(
      inOrder.map(({ owner, rdata }) => ({ owner, signatures: rdata, hashedName: undefined })),
    );
  });

  test('a view shows the names of a chain of NSEC3 records by hash, with those that own nothing', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec3');
    await addNames(tenant, name);
    const view = await openView(scene(), tenant, name);
    const chain = await readAll(view.chainSlices());
    await view.close();
    const stored = rowsOf(scene(), name);
    const signatures = new Map(
      stored
        .filter(({ type }) => type === generatedType.signatures)
        .map(({ owner, rdata }) => [owner, rdata]),
    );
    const hashes = stored.filter(({ type }) => type === generatedType.hashedName);
    const inOrder = hashes.toSorted((a, b) => Buffer.compare(a.rdata, b.rdata));
    expect(chain.length).toBeGreaterThan(VIEW_SLICE_RECORDS);
    expect(chain).toEqual(
      inOrder.map(({ owner, rdata }) => ({
        owner,
        signatures: signatures.get(owner),
        hashedName: rdata,
      })),
    );
    const unowned = chain.filter((row) => row.signatures === undefined).map(({ owner }) => owner);
    expect(unowned).toEqual(expect.arrayContaining(['b', 'wild']));
  });

  test('a slice of names with many signatures has few of them', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const types = Array.from({ length: 100 }, (_, at) => FIRST_UNUSED_TYPE + at);
    const owners = Array.from({ length: 40 }, (_, at) => `many${at}`);
    const records = owners.flatMap((owner) => types.map((type) => newRecord(owner, 1, { type })));
    expect(await importZone(tenant, { name }, records, { mode: 'merge' })).toMatchObject({ ok: true });
    const view = await openView(scene(), tenant, name);
    const signed = new Map<string, number>();
    for await (const slice of view.chainSlices()) {
      expect(slice.length).toBeLessThan(VIEW_SLICE_RECORDS / 5);
      for (const { owner, signatures } of slice)
        signed.set(owner, decodeOwnerSignatures(signatures ?? new Uint8Array())?.signatures.length ?? 0);
    }
    await view.close();
    // Those of the sets and of the NSEC record.
    expect(owners.map((owner) => signed.get(owner))).toEqual(owners.map(() => types.length + 1));
  });
}

/** The types from here on are not assigned (RFC 6895 section 3.1). */
const FIRST_UNUSED_TYPE = 40_000;

/** More names than a slice has rows, in an order that is not the canonical one. */
async function addNames(tenant: Tenant, name: ZoneName): Promise<void> {
  const owners = Array.from({ length: VIEW_SLICE_RECORDS + 5 }, (_, at) => `n${at}.x${at % 7}`);
  const records = owners.map((owner) => newRecord(owner));
  expect(await importZone(tenant, { name }, records, { mode: 'merge' })).toMatchObject({ ok: true });
}

/** All rows of a zone, as nameservers read them. */
function rowsOf({ store }: StoreScene, name: ZoneName) {
  const zone = store.readZone(name);
  assert(zone !== undefined, `${name} is hosted`);
  return [...zone.records];
}

async function openView({ store }: StoreScene, { account }: Tenant, name: ZoneName): Promise<ZoneView> {
  const view = await store.openZoneView(account.id, name);
  assert(view !== undefined, `${name} is there`);
  return view;
}

async function readAll<Row>(slices: Slices<Row>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const slice of slices) rows.push(...slice);
  return rows;
}
