import { expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { finishSteps } from '../../base/steps.ts';
import { lowerDomainName } from '../../dns/name.ts';
import type { Denial } from '../../dns/proven-types.ts';
import { linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { fileText, newSignerKey, signFile } from '../../dnssec/sign-file.test-support.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { ZoneName } from '../../model/domain.ts';
import { PresignedZoneFile } from '../../model/presigned-zone-file.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { CommandOf } from '../../writes/command.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { makePresignedRows } from '../../writes/signing/presigned-rows.ts';
import { FileProblems } from '../../writes/signing/presigned-sets.ts';
import { checkServed } from './signed-scene.test-support.ts';
import { newId, newName, START_SECONDS, type StoreScene, type Tenant } from './store-scene.test-support.ts';

/** Later than the serial of a domain that is created at the time of the suite. */
const SERIAL = 2_026_112_400;
/** Each has a record and, with NSEC3, two generated rows: the checks of served zones take long for more of them. */
const LARGE_NAMES = LARGE_ROWS / 2.5;
const UNTIL_SECONDS = START_SECONDS + 20 * 86_400;

interface Signed {
  readonly name: ZoneName;
  readonly denial: Denial;
  readonly key: ZoneKey;
}

/** An import of a zone that was signed elsewhere; nothing here verifies its signatures. */
function importOf(
  tenant: Tenant,
  { name, denial, key }: Signed,
  serial: number,
  more = '',
): CommandOf<'importZone'> {
  // The check of served zones expects proofs of the service's own TTL.
  const plain = fileText(serial, more).replace('1209600 600', '1209600 300');
  const text = signFile(name, plain, { denial, key, nowSeconds: START_SECONDS });
  const file = new PresignedZoneFile(name, { defaultTtlSeconds: null, txtLimitBytes: 4096, nameservers: [] });
  for (const item of readZoneFile(linesOf(text), ownerDomainName(APEX, name), (label) => label))
    file.take(item);
  expect(file.content.problems).toEqual([]);
  const zone = finishSteps(
    makePresignedRows(
      name,
      file,
      (owner) => new Uint8Array(createHash('sha1').update(lowerDomainName(owner)).digest()),
    ),
  );
  assert(!(zone instanceof FileProblems), 'the file has no problems');
  const stored: ZoneKey = {
    ...{
      ...key,
      id: newId(),
      origin: 'file',
      sealed: new Uint8Array(),
      secretId: '',
      createdAtSeconds: START_SECONDS,
    },
  };
  const records = file.content.records.map(({ record }) => ({ id: newId(), ...record }));
  const presigned = { ...zone, keys: [stored], untilSeconds: UNTIL_SECONDS };
  const { denial: found, rows, keys, untilSeconds } = presigned;
  return {
    kind: 'importZone',
    author: tenant.author,
    domain: name,
    mode: 'replace',
    records,
    soa: null,
    presigned: { denial: found, rows, keys, serial: zone.serial, untilSeconds },
  };
}

async function newPresigned(scene: StoreScene, denial: Denial, more = '') {
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain(newName());
  const signed = { name, denial, key: newSignerKey() };
  await scene.must(importOf(tenant, signed, SERIAL, more));
  return { tenant, signed };
}

/** Zones that another signer has signed. */
export function presignedSuite(scene: () => StoreScene): void {
  test.each([
    ['small', 0, 'nsec'],
    ['small', 0, 'nsec3'],
    ['large', LARGE_NAMES, 'nsec3'],
  ] as const)('a %s zone that was signed elsewhere is served as it is (%i, %s)', async (_, count, denial) => {
    const more = Array.from({ length: count }, (__, i) => `n${i} 60 A 192.0.2.1\n`).join('');
    const { tenant, signed } = await newPresigned(scene(), denial, more);
    const { store } = scene();
    const { name, key } = signed;
    expect(checkServed(store, name, denial)).toEqual([]);
    const domain = await tenant.get(name);
    const marks = { denial, renewAtSeconds: null, presignedUntilSeconds: UNTIL_SECONDS, serial: SERIAL };
    expect(domain).toMatchObject({ ...marks, revisedSerial: SERIAL });
    const [stored] = await store.signing.zoneKeys(domain);
    expect(stored).toMatchObject({ dnskey: key.dnskey, origin: 'file', sealed: new Uint8Array() });

    await scene().must(importOf(tenant, signed, SERIAL + 5, `${more}new 60 A 192.0.2.9\n`));
    expect(checkServed(store, name, denial)).toEqual([]);
    expect(await tenant.get(name)).toMatchObject({ serial: SERIAL + 5, recordCount: domain.recordCount + 1 });

    await tenant.deleteDomain(name);
    await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect(await tenant.get(name)).toMatchObject({ ...marks, serial: SERIAL + 5 });
    expect(checkServed(store, name, denial)).toEqual([]);
  });

  test('the deletion of a zone that was signed elsewhere cannot be undone after another one of its name', async () => {
    const { tenant, signed } = await newPresigned(scene(), 'nsec');
    const { name } = signed;
    const { id } = await tenant.get(name);
    await tenant.deleteDomain(name);
    await tenant.createDomain(name);
    await tenant.deleteDomain(name);
    const { author } = tenant;
    const refusal = { code: 'presigned_domain' };
    expect(await scene().store.write({ kind: 'restoreDomain', author, name, id })).toMatchObject({ refusal });
  });

  test('a file with an earlier serial is refused, and an end of signing leaves an ordinary domain', async () => {
    const { tenant, signed } = await newPresigned(scene(), 'nsec3');
    const { store } = scene();
    const { author } = tenant;
    const { name } = signed;
    expect(await store.write(importOf(tenant, signed, SERIAL))).toMatchObject({
      refusal: { code: 'dnssec_conflict' },
    });
    const dnsSec = { wanted: 'disabled', force: true, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec });
    const domain = await tenant.get(name);
    expect(domain).toMatchObject({ denial: null, presignedUntilSeconds: null, serial: SERIAL + 1 });
    expect(await store.signing.zoneKeys(domain)).toEqual([]);
    const zone = store.readZone(name);
    assert(zone !== undefined, 'the domain is hosted');
    expect([...zone.records]).toHaveLength(domain.recordCount);
  });
}
