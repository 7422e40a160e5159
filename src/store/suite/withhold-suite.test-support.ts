import { expect, test } from 'vitest';
import type { Domain } from '../../model/domain.ts';
import { claimSuite } from './claim-suite.test-support.ts';
import { filled, readRecords } from './change-scene.test-support.ts';
import {
  newName,
  newRecord,
  START_MS,
  StoreScene,
  type StoreFixture,
  type Tenant,
} from './store-scene.test-support.ts';

const author = { accountId: '', keyId: '', atMs: START_MS };

/** Domains that are stored, listed and edited, but served by no nameserver. */
export function withholdSuite(scene: () => StoreScene): void {
  claimSuite(scene);
  editSuite(scene);
  manySuite(scene);
}

function editSuite(scene: () => StoreScene): void {
  test('a withheld domain is not served, and edited, until it is released as it is then', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const { name } = domain;
    const before = await tenant.get(name);
    const hosted = scene().store.hostedCount();
    expect(await write(scene(), 'withholdDomains', [domain])).toEqual({ changed: 1 });
    const lastSeq = await scene().store.lastSeq();
    expect(await tenant.get(name)).toEqual({ ...before, withheld: ['suspended'], withheldSeq: lastSeq });
    expect([scene().served().has(name), scene().store.readZone(name)]).toEqual([false, undefined]);
    expect(scene().store.hostedCount()).toBe(hosted - 1);
    const late = newRecord('late');
    await tenant.create(name, late);
    await tenant.delete(name, records[0].id);
    expect(scene().served().has(name)).toBe(false);
    expect(await readRecords(scene(), tenant, domain)).toEqual([late]);
    await write(scene(), 'releaseDomains', [domain]);
    expect(scene().served().get(name)?.records).toHaveLength(1);
    expect(scene().store.hostedCount()).toBe(hosted);
    expect(await actions(scene(), tenant, domain)).toEqual([
      'domainRelease',
      'delete',
      'create',
      'domainWithhold',
      'create',
      'domainCreate',
    ]);
  });

  test('a domain is served when no reason is left', async () => {
    const tenant = await scene().newAccount();
    const name = newName();
    const { author: by } = tenant;
    const about = { author: by, name, address: null, nameservers: [] } as const;
    const domain = await scene().must({ kind: 'createDomain', ...about, claim: 'unverified' });
    await write(scene(), 'withholdDomains', [domain]);
    expect((await tenant.get(name)).withheld).toEqual(['suspended', 'unverified']);
    await scene().must({ kind: 'settleClaim', author, domain: name, id: domain.id, proof: 'challenge' });
    expect(scene().served().has(name)).toBe(false);
    await write(scene(), 'releaseDomains', [domain]);
    expect(scene().served().has(name)).toBe(true);
  });

  test('a domain that was deleted while it was unverified is so when it is restored', async () => {
    const tenant = await scene().newAccount();
    const name = newName();
    const about = { author: tenant.author, name, address: null, nameservers: [] } as const;
    await scene().must({ kind: 'createDomain', ...about, claim: 'unverified' });
    await tenant.deleteDomain(name);
    expect(await scene().store.findDeletedDomain(tenant.account.id, name)).toMatchObject({
      withheld: ['unverified'],
    });
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect([restored.withheld, scene().served().has(name)]).toEqual([['unverified'], false]);
    await scene().must({ kind: 'settleClaim', author, domain: name, id: restored.id, proof: 'challenge' });
    expect(scene().served().get(name)).toMatchObject({ serial: restored.serial });
  });
}

function manySuite(scene: () => StoreScene): void {
  test('many domains are withheld and released at once, and others stay served', async () => {
    const tenant = await scene().newAccount();
    const domains = await Promise.all(Array.from({ length: 30 }, () => tenant.createDomain()));
    const gone = domains[4];
    await tenant.deleteDomain(gone.name);
    const kept = await tenant.createDomain();
    expect(await write(scene(), 'withholdDomains', domains)).toEqual({ changed: 29 });
    expect(await write(scene(), 'withholdDomains', domains)).toEqual({ changed: 0 });
    expect(servedOf(scene(), domains)).toEqual([]);
    expect(servedOf(scene(), [kept])).toHaveLength(1);
    await write(scene(), 'releaseDomains', domains);
    expect(servedOf(scene(), domains)).toHaveLength(29);
  });

  test('a nameserver is current with a withheld domain when it does not serve it', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    await write(scene(), 'withholdDomains', [domain]);
    const seen = async () => {
      const [one] = await scene().store.servedSerials(await tenant.get(domain.name));
      return [one.serial, one.isWithheld ?? false];
    };
    // On PostgreSQL, nameserver processes report what they serve a little later.
    await expect.poll(seen).toEqual([null, true]);
    await write(scene(), 'releaseDomains', [domain]);
    await expect.poll(seen).toEqual([(await tenant.get(domain.name)).serial, false]);
  });
}

export function withholdLifeSuite(newFixture: () => Promise<StoreFixture>): void {
  test('withheld domains of a reopened store are not served', async () => {
    const fixture = await newFixture();
    const before = new StoreScene(await fixture.open());
    const tenant = await before.newAccount();
    const domains = await Promise.all(Array.from({ length: 20 }, () => tenant.createDomain()));
    // More than one page of names, one after the other.
    const withheld = domains.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(2, 18);
    await before.must({ kind: 'withholdDomains', author, reason: 'suspended', domains: withheld });
    const served = before.served();
    await before.store.close();
    const after = new StoreScene(await fixture.open());
    expect(served.size).toBe(4);
    expect([after.served(), after.store.hostedCount()]).toEqual([served, 4]);
    await after.must({ kind: 'releaseDomains', author, reason: 'suspended', domains: withheld });
    expect(after.served().size).toBe(20);
    await after.store.close();
    await fixture.remove();
  });
}

async function actions({ store }: StoreScene, tenant: Tenant, domain: Domain): Promise<string[]> {
  const page = await store.listChanges(await tenant.get(domain.name), {
    direction: 'after',
    key: null,
    limit: 20,
  });
  return page.rows.map(({ action }) => action);
}

function write(scene: StoreScene, kind: 'withholdDomains' | 'releaseDomains', domains: readonly Domain[]) {
  return scene.must({
    kind,
    author,
    reason: 'suspended',
    domains: domains.map(({ id, name }) => ({ id, name })),
  });
}

function servedOf(scene: StoreScene, domains: readonly Domain[]): Domain[] {
  const served = scene.served();
  return domains.filter(({ name }) => served.has(name));
}
