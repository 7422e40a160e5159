import { expect, onTestFinished, test } from 'vitest';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { resealZoneKey } from '../dnssec/private-key.ts';
import type { ZoneName } from '../model/domain.ts';
import { newPostgres, openStore, withoutZones } from '../store/postgres/postgres-scene.test-support.ts';
import { openPostgresSealedKeys } from '../store/postgres/postgres-sealed-keys.ts';
import { enableSigning, suiteSigning } from '../store/suite/signed-scene.test-support.ts';
import { newRecord, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { resealZoneKeys } from './reseal-zone-keys.ts';

const secret = 'a new secret of the tests, of more than 32 characters';
const both = openKeySecrets([secret, ...suiteSigning.secrets]);

test('keys in a database are encrypted again while a service that has both secrets writes', async () => {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  const dnssec = { ...suiteSigning, secrets: [secret, ...suiteSigning.secrets] };
  const store = await openStore(address, { dnssec });
  onTestFinished(() => store.close());
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  const signed: { readonly id: number; readonly name: ZoneName }[] = [];
  for (let made = 0; made < 3; made++) {
    const domain = await tenant.createDomain();
    await enableSigning(tenant, domain.name, 'nsec');
    signed.push(domain);
  }
  const keys = await openPostgresSealedKeys(address);
  onTestFinished(() => keys.close());
  const progress: number[] = [];
  const report = await resealZoneKeys(keys, both, (resealed) => progress.push(resealed));
  expect(report).toEqual({ resealed: 3, lost: new Map() });
  expect(progress).toEqual([3]);
  expect(await keys.find(both.secretId, 9, undefined)).toEqual([]);
  for (const { id, name } of signed) {
    expect(await store.signing.zoneKeys({ id })).toMatchObject([{ secretId: both.secretId }]);
    await tenant.create(name, newRecord('later', 1));
  }
});

test('a key that another process has encrypted meanwhile is left as it is', async () => {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  const store = await openStore(address, { dnssec: suiteSigning });
  onTestFinished(() => store.close());
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  const { id, name } = await tenant.createDomain();
  const key = await enableSigning(tenant, name, 'nsec');
  const keys = await openPostgresSealedKeys(address);
  onTestFinished(() => keys.close());
  const late = { domainId: id, id: key.id, formerSecretId: 'another', ...resealZoneKey(key, both) };
  await keys.replace([late]);
  expect(await store.signing.zoneKeys({ id })).toEqual([key]);
});
