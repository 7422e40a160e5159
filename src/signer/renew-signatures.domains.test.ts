// Renewal on a real embedded store that signs, with a clock that the tests move.
import { expect, test } from 'vitest';
import { decodeHashedName, decodeOwnerSignatures } from '../model/generated-row.ts';
import type { Denial } from '../dns/proven-types.ts';
import type { Domain } from '../model/domain.ts';
import { revisionOf } from '../writes/revision.ts';
import { newZoneKey, suiteSigning } from '../store/suite/signed-scene.test-support.ts';
import { newRecord, type Tenant } from '../store/suite/store-scene.test-support.ts';
import { openRenewalScene, type RenewalScene } from './renewal-scene.test-support.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

interface SigningScene extends RenewalScene {
  readonly owner: Tenant;
  /** The store is opened again, because its threads have taken their clock from the start. */
  readonly passDays: (days: number) => Promise<void>;
}

async function openSigning(): Promise<SigningScene> {
  const scene = await openRenewalScene({}, { dnssec: suiteSigning });
  const owner = await scene.tenant();
  const passDays = async (days: number): Promise<void> => {
    scene.pass(days * DAY_MS);
    await scene.close();
    await scene.reopen();
  };
  return { ...scene, owner, passDays };
}

async function signDomain({ store, owner }: SigningScene, denial: Denial): Promise<Domain> {
  const { name } = await owner.createDomain();
  for (const [at, label] of ['', 'www', 'a.b.c', '*.wild'].entries())
    await owner.create(name, newRecord(label, at));
  const key = newZoneKey();
  const signed = await store().write({
    kind: 'updateDomain',
    author: owner.author,
    name,
    dnsSec: { wanted: 'enabled', denial, key },
  });
  if (!signed.ok) throw new Error(signed.refusal.message);
  return signed.value;
}

async function read({ store, owner }: SigningScene, { name }: Domain): Promise<Domain> {
  const domain = await store().findDomain(owner.account.id, name);
  if (domain === undefined) throw new Error(`${name} is gone`);
  return domain;
}

/** The days for which the signatures of a domain last at least, without that of the SOA record. */
function daysLeft({ rows, clock }: SigningScene, { id }: Domain): number {
  const found = rows(`SELECT id, rdata FROM records WHERE domain_id = ${id} AND id >= '~'`);
  const signatures = (found as readonly [string, Uint8Array][]).flatMap(([rowId, rdata]) => {
    if (rowId.startsWith('~s')) return decodeOwnerSignatures(rdata)?.signatures ?? [];
    const hashed = rowId.startsWith('~h') ? decodeHashedName(rdata) : undefined;
    return hashed?.signatures ?? [];
  });
  expect(signatures.length).toBeGreaterThan(5);
  const earliest = Math.min(...signatures.map(({ expiration }) => expiration));
  return (earliest - clock.nowMs() / 1000) / DAY_SECONDS;
}

test.each<Denial>(['nsec', 'nsec3'])(
  'signatures of a domain with %s are renewed for ever',
  async (denial) => {
    const scene = await openSigning();
    const { renewal, store, passDays } = scene;
    const domain = await signDomain(scene, denial);
    expect(daysLeft(scene, domain)).toBeGreaterThan(19.9);
    const page = { direction: 'after', key: null, limit: 100 } as const;
    const history = await store().listChanges(domain, page);
    let before = await read(scene, domain);
    for (const days of [1, 1, 1, 1, 1, 7, 7, 14]) {
      await passDays(days);
      if (days === 1) expect(daysLeft(scene, domain)).toBeGreaterThan(14);
      const seq = await store().lastSeq();
      const isDue = (before.renewAtSeconds ?? 0) * 1000 <= scene.clock.nowMs();
      await renewal.look();
      const after = await read(scene, domain);
      expect(daysLeft(scene, domain)).toBeGreaterThan(15);
      expect(after.serial).toBe(before.serial + (isDue ? 1 : 0));
      expect(after.renewAtSeconds).toBeGreaterThan(scene.clock.nowMs() / 1000);
      expect((await store().changesAfter(seq, 100)).length > 0).toBe(isDue);
      before = after;
    }
    expect(revisionOf(before)).toBe(revisionOf(domain));
    expect(await store().listChanges(before, page)).toEqual(history);
    expect(renewal.figures()).toMatchObject({ due: 0, overdueSeconds: 0, failures: 0 });
  },
);

test('signatures that were made while the clock was ahead are made again when it is right', async () => {
  const scene = await openSigning();
  const domain = await signDomain(scene, 'nsec3');
  await scene.passDays(-3);
  expect(daysLeft(scene, domain)).toBeGreaterThan(22);
  await scene.renewal.look();
  expect(daysLeft(scene, domain)).toBeLessThanOrEqual(21);
  expect(scene.renewal.figures()).toMatchObject({ due: 0, overdueSeconds: 0, renewed: 1 });
});

test('a domain whose key cannot be opened keeps no other one from being renewed', async () => {
  const scene = await openSigning();
  const { renewal, query, logged, passDays } = scene;
  const domains = [
    await signDomain(scene, 'nsec'),
    await signDomain(scene, 'nsec'),
    await signDomain(scene, 'nsec3'),
  ];
  query(`UPDATE zone_keys SET sealed = zeroblob(60) WHERE domain_id = ${domains[0].id}`);
  await passDays(10);
  await renewal.look();
  expect(daysLeft(scene, domains[0])).toBeLessThan(11);
  expect(daysLeft(scene, domains[1])).toBeGreaterThan(19.9);
  expect(daysLeft(scene, domains[2])).toBeGreaterThan(19.9);
  expect(renewal.figures()).toMatchObject({ due: 1, renewed: 2, failures: 1 });
  expect(logged).toHaveLength(1);
});

test('a large domain takes several commands', async () => {
  const scene = await openSigning();
  const { store, owner, renewal, passDays } = scene;
  const domain = await signDomain(scene, 'nsec');
  const created = await store().write({
    kind: 'importZone',
    author: owner.author,
    domain: domain.name,
    records: Array.from({ length: 1500 }, (_, i) => newRecord(`host${i}`)),
    mode: 'merge',
    soa: null,
  });
  expect(created).toMatchObject({ ok: true });
  await passDays(10);
  const { serial } = await read(scene, domain);
  await renewal.look();
  expect(renewal.figures()).toMatchObject({ renewed: 2, due: 0 });
  expect((await read(scene, domain)).serial).toBe(serial + 2);
  expect(daysLeft(scene, domain)).toBeGreaterThan(19.9);
});

test('a second process that takes the same domain changes nothing', async () => {
  const scene = await openSigning();
  const { renewal, store, passDays } = scene;
  const domain = await signDomain(scene, 'nsec');
  await passDays(5);
  await renewal.look();
  const seq = await store().lastSeq();
  const again = await store().write({ kind: 'renewSignatures', domain: domain.name });
  expect(again).toMatchObject({ ok: true, changed: false, value: { renewed: 0, next: null } });
  expect(await store().lastSeq()).toBe(seq);
});

test('a domain that is deleted while it is due is no failure', async () => {
  const scene = await openSigning();
  const { store, renewal, owner, passDays } = scene;
  const [first, second] = [await signDomain(scene, 'nsec'), await signDomain(scene, 'nsec')];
  await passDays(5);
  const looking = renewal.look();
  await store().write({ kind: 'deleteDomain', author: owner.author, name: second.name });
  await looking;
  expect(renewal.figures()).toMatchObject({ due: 0, failures: 0 });
  expect(daysLeft(scene, first)).toBeGreaterThan(15);
});
