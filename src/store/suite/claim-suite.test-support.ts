import { expect, test } from 'vitest';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { formerNameserversId } from '../../model/former-nameservers.ts';
import { serviceAuthor } from '../../writes/author.ts';
import type { NameTerms } from '../../writes/command.ts';
import {
  newId,
  newName,
  newRecord,
  START_MS,
  START_SECONDS,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

const service = serviceAuthor(START_MS);

/** Domains of which control has to be shown, and the nameservers of accounts. */
export function claimSuite(scene: () => StoreScene): void {
  verifiedSuite(scene);
  nameSuite(scene);
  nameserverSuite(scene);
  ownNameserversSuite(scene);
}

function verifiedSuite(scene: () => StoreScene): void {
  test('an unverified domain is listed among them, and served with what it has when it is verified', async () => {
    const tenant = await scene().newAccount();
    const domain = await create(tenant, newName(), { claim: 'unverified' });
    expect(domain).toMatchObject({
      claim: { proof: null, sinceSeconds: START_SECONDS },
      withheld: ['unverified'],
      withheldSeq: null,
    });
    expect(await tenant.get(domain.name)).toEqual(domain);
    await tenant.create(domain.name, newRecord('www'));
    expect([scene().served().has(domain.name), await isUnverified(scene(), domain)]).toEqual([false, true]);
    await expect.poll(() => isKnownAsWithheld(scene(), domain)).toBe(true);
    expect(await settle(scene(), domain)).toEqual({ settled: true });
    expect(await settle(scene(), domain)).toEqual({ settled: false });
    expect(scene().served().get(domain.name)?.records).toHaveLength(1);
    const verified = await tenant.get(domain.name);
    expect(verified).toMatchObject({
      claim: { proof: 'challenge', sinceSeconds: START_SECONDS },
      withheld: [],
    });
    expect(await isUnverified(scene(), domain)).toBe(false);
  });

  test('unverified domains are listed by id, page by page, also those that are suspended', async () => {
    const tenant = await scene().newAccount();
    const domains: Domain[] = [];
    for (let i = 0; i < 5; i++) domains.push(await create(tenant, newName(), { claim: 'unverified' }));
    const { author } = tenant;
    await scene().must({
      kind: 'withholdDomains',
      author,
      reason: 'suspended',
      domains: domains.slice(0, 2),
    });
    const before = domains[0].id - 1;
    const first = await scene().store.claims.unverifiedDomains(3, before);
    const next = await scene().store.claims.unverifiedDomains(10, first[2].id);
    expect([...first, ...next].map(({ name }) => name)).toEqual(domains.map(({ name }) => name));
    expect(first[0]).toEqual({
      id: domains[0].id,
      accountId: tenant.account.id,
      name: domains[0].name,
      sinceSeconds: START_SECONDS,
    });
    for (const { id, name } of domains)
      await scene().must({
        kind: 'expireClaim',
        author: service,
        domain: name,
        id,
        sinceSeconds: START_SECONDS,
      });
    expect(await scene().store.claims.unverifiedDomains(10, before)).toEqual([]);
    const page = { direction: 'after', key: null, limit: 10 } as const;
    expect((await scene().store.listDeletedDomains(tenant.account.id, page)).total).toBe(5);
  });
}

function nameSuite(scene: () => StoreScene): void {
  test('an unverified domain keeps its name until another account has shown control, and others above and below from nobody', async () => {
    const [tenant, stranger] = [await scene().newAccount(), await scene().newAccount()];
    const top = newName();
    const name = `b.${top}` as ZoneName;
    await create(tenant, name, { claim: 'unverified' });
    expect(await refusalOf(stranger, name, { claim: 'unverified' })).toBe('domain_claimed');
    expect(await refusalOf(stranger, top, { claim: 'unverified' })).toBeUndefined();
    expect(await refusalOf(stranger, `a.${name}` as ZoneName, { claim: 'unverified' })).toBeUndefined();
    const taken = await create(stranger, name, { claim: 'challenge' });
    expect(taken).toMatchObject({ accountId: stranger.account.id, claim: { proof: 'challenge' } });
    expect(scene().served().get(name)).toMatchObject({ serial: taken.serial });
    expect(await scene().store.findDomain(tenant.account.id, name)).toBeUndefined();
    const deleted = await scene().store.findDeletedDomain(tenant.account.id, name);
    expect(deleted).toMatchObject({ withheld: ['unverified'] });
    expect(taken.serial).toBeGreaterThan(deleted?.serial ?? Infinity);
  });

  test('a verified domain keeps its name, and others above and below', async () => {
    const [tenant, stranger] = [await scene().newAccount(), await scene().newAccount()];
    const top = newName();
    const name = `b.${top}` as ZoneName;
    await settle(scene(), await create(tenant, name, { claim: 'unverified' }));
    for (const asked of [name, top, `a.${name}`] as ZoneName[])
      expect(await refusalOf(stranger, asked, { claim: 'challenge' })).toBe('domain_taken');
  });

  test('a deleted domain that was unverified keeps names from nobody', async () => {
    const [tenant, stranger] = [await scene().newAccount(), await scene().newAccount()];
    const top = newName();
    const name = `b.${top}` as ZoneName;
    await create(tenant, name, { claim: 'unverified' });
    await tenant.deleteDomain(name);
    for (const asked of [`a.${name}`, name, top] as ZoneName[])
      expect(await refusalOf(stranger, asked)).toBeUndefined();
    const verified = newName();
    await create(tenant, verified);
    await tenant.deleteDomain(verified);
    expect(await refusalOf(stranger, verified)).toBe('domain_held');
  });
}

function nameserverSuite(scene: () => StoreScene): void {
  test('the nameservers of an account are kept, and are known to be shared', async () => {
    const [{ account: one }, { account: two }] = [await scene().newAccount(), await scene().newAccount()];
    const { claims } = scene().store;
    const names = [`ns1.${newName()}`, `ns2.${newName()}`];
    const assign = (accountId: string, set: readonly string[], former: readonly string[] | null = null) =>
      scene().must({ ...shared, accountId, names: set, former });
    expect(await claims.findNameservers(one.id)).toBeUndefined();
    expect(await assign(one.id, names)).toEqual({ names });
    expect(await claims.findNameservers(one.id)).toEqual(names);
    expect(await claims.isNameserverSetShared(names, one.id)).toBe(false);
    expect(await claims.isNameserverSetShared(names, two.id)).toBe(true);
    const more = [`ns3.${newName()}`];
    expect(await claims.findFreeNameserverSet([names, more, [names[0]]])).toEqual(more);
    expect(await claims.findFreeNameserverSet([names])).toBeUndefined();
    const together = await Promise.all([assign(two.id, names), assign(two.id, [names[0]])]);
    expect(together[1]).toEqual(together[0]);
    expect(await claims.isNameserverSetShared(names, one.id)).toBe(true);
    await assign(two.id, [names[1]], names);
    expect(await claims.findNameservers(two.id)).toEqual([names[1]]);
    expect(await claims.isNameserverSetShared(names, one.id)).toBe(false);
  });
}

const shared = { kind: 'assignNameservers', former: null, formerId: null, mayShare: true } as const;

function ownNameserversSuite(scene: () => StoreScene): void {
  test('of accounts that are given the same nameservers at once, one has them, if they may not be shared', async () => {
    const tenants = await Promise.all([1, 2, 3].map(() => scene().newAccount()));
    const names = [`ns1.${newName()}`, `ns2.${newName()}`].sort();
    const alone = { ...shared, mayShare: false };
    const assign = ({ account }: Tenant) => scene().must({ ...alone, accountId: account.id, names });
    // In one batch, and then against what is committed.
    const together = [...(await Promise.all(tenants.slice(0, 2).map(assign))), await assign(tenants[2])];
    expect(together.filter((given) => given.names !== null)).toEqual([{ names }]);
    const owner = tenants[together.findIndex((given) => given.names !== null)];
    expect(await scene().store.claims.isNameserverSetShared(names, owner.account.id)).toBe(false);
    // Nobody takes it from the account, which keeps it.
    expect(await assign(owner)).toEqual({ names });
  });

  test('what an account had before is kept from all accounts', async () => {
    const [{ account: one }, { account: two }] = [await scene().newAccount(), await scene().newAccount()];
    const [former, names] = [[`ns1.${newName()}`], [`ns2.${newName()}`]];
    await scene().must({ ...shared, accountId: one.id, names: former });
    const formerId = formerNameserversId(newId());
    await scene().must({ ...shared, accountId: one.id, names, former, formerId, mayShare: false });
    const { claims } = scene().store;
    expect(await claims.findFreeNameserverSet([former])).toBeUndefined();
    const ask = { ...shared, accountId: two.id, names: former, mayShare: false };
    expect(await scene().must(ask)).toEqual({ names: null });
    expect(await claims.findNameservers(two.id)).toBeUndefined();
  });
}

function create(tenant: Tenant, name: ZoneName, terms: NameTerms = {}): Promise<Domain> {
  const { author, scene } = tenant;
  return scene.must({ kind: 'createDomain', author, name, address: null, nameservers: [], ...terms });
}

async function refusalOf(tenant: Tenant, name: ZoneName, terms: NameTerms = {}): Promise<string | undefined> {
  const { author, scene } = tenant;
  const command = { kind: 'createDomain', author, name, address: null, nameservers: [], ...terms } as const;
  const result = await scene.store.write(command);
  return result.ok ? undefined : result.refusal.code;
}

function settle(scene: StoreScene, { id, name }: Domain) {
  return scene.must({ kind: 'settleClaim', author: service, domain: name, id, proof: 'challenge' });
}

async function isUnverified({ store }: StoreScene, { id }: Domain): Promise<boolean> {
  return (await store.claims.unverifiedDomains(1, id - 1)).at(0)?.id === id;
}

async function isKnownAsWithheld({ store }: StoreScene, domain: Domain): Promise<boolean> {
  return (await store.servedSerials(domain)).every(({ isWithheld }) => isWithheld === true);
}
