import { expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import { nameReadsSuite } from './name-reads-suite.test-support.ts';
import { newName, type StoreScene, type Tenant } from './store-scene.test-support.ts';

/** Creating domains beside the domains of other accounts, and reading the names of a domain. */
export function nameSuite(scene: () => StoreScene): void {
  nameReadsSuite(scene);

  test('a domain cannot be created above a domain of another account', async () => {
    const { tenant, stranger } = await twoTenants(scene());
    const parent = newName();
    await tenant.createDomain(`a.b.${parent}` as ZoneName);
    await tenant.createDomain(`c.${parent}` as ZoneName);
    for (const name of [parent, `b.${parent}`]) {
      expect(await create(stranger, name)).toMatchObject({ refusal: { code: 'domain_taken' } });
    }
    for (const name of [`x${parent}`, `bb.${parent}`, `a${parent}`]) {
      expect(await create(stranger, name)).toMatchObject({ ok: true });
    }
  });

  test('the holder of all domains below a name may create it', async () => {
    const { tenant, stranger } = await twoTenants(scene());
    const parent = newName();
    for (const label of ['a', 'b', 'c.b']) await tenant.createDomain(`${label}.${parent}` as ZoneName);
    await stranger.createDomain(`other-${parent}` as ZoneName);
    expect(await create(tenant, parent)).toMatchObject({ ok: true });
  });

  test('two accounts that create a domain and its parent at the same time do not both get them', async () => {
    const { tenant, stranger } = await twoTenants(scene());
    const parent = newName();
    const results = await Promise.all([create(tenant, `a.${parent}`), create(stranger, parent)]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('a deleted name is kept for its account, and so is what is above and below it', async () => {
    const { tenant, stranger } = await twoTenants(scene());
    const name = `kept.${newName()}` as ZoneName;
    await tenant.createDomain(name);
    await tenant.deleteDomain(name);
    const above = name.slice(name.indexOf('.') + 1);
    expect(await create(stranger, name)).toMatchObject({ refusal: { code: 'domain_held' } });
    expect(await create(stranger, `sub.${name}`)).toMatchObject({ refusal: { code: 'domain_held' } });
    expect(await create(stranger, above)).toMatchObject({ refusal: { code: 'domain_taken' } });
    expect(await create(tenant, `sub.${name}`)).toMatchObject({ ok: true });
    const restored = await scene().store.write({ kind: 'restoreDomain', author: tenant.author, name });
    expect(restored).toMatchObject({ ok: true });
    expect(await create(stranger, above)).toMatchObject({ refusal: { code: 'domain_taken' } });
  });

  test('an administrator takes a name that is kept; the former holder cannot restore it', async () => {
    const { tenant, stranger } = await twoTenants(scene());
    const name = newName();
    await tenant.createDomain(name);
    await tenant.deleteDomain(name);
    expect(await create(stranger, name, true)).toMatchObject({ ok: true });
    const restore = () => scene().store.write({ kind: 'restoreDomain', author: tenant.author, name });
    expect(await restore()).toMatchObject({ refusal: { code: 'domain_taken' } });
    await stranger.deleteDomain(name);
    expect(await restore()).toMatchObject({ refusal: { code: 'domain_held' } });
  });
}

async function twoTenants(scene: StoreScene) {
  return { tenant: await scene.newAccount(), stranger: await scene.newAccount() };
}

function create(by: Tenant, name: string, takesHeldNames?: true) {
  const more = { address: null, nameservers: [], ...(takesHeldNames && { takesHeldNames }) };
  return by.scene.store.write({
    kind: 'createDomain',
    author: by.author,
    name: name as ZoneName,
    ...more,
  });
}
