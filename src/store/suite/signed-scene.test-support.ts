// Signed domains in a real store: their zones are read as nameservers read them, and checked as a validator would.
import { assert } from '../../base/assert.ts';
import { rrType } from '../../dns/codes.ts';
import { countLabels, parseDomainName } from '../../dns/name.ts';
import type { Denial } from '../../dns/proven-types.ts';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import { openKeySecrets } from '../../dnssec/key-secrets.ts';
import { createZoneKey } from '../../dnssec/private-key.ts';
import type { ZoneName } from '../../model/domain.ts';
import {
  decodeHashedName,
  generatedType,
  hashedNameId,
  keySetId,
  SOA_ID,
  signaturesId,
} from '../../model/generated-row.ts';
import { formatOrderKey } from '../../model/order-key.ts';
import { APEX, ownerBelow, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import { servedZone } from '../../writes/signing/served-zone.test-support.ts';
import { ownApexTypes } from '../../writes/signing/find-signing-refusal.ts';
import type { SigningSettings } from '../signing-settings.ts';
import type { ZoneSource } from '../store.ts';
import {
  newId,
  newName,
  newRecord,
  START_SECONDS,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

/** Domains of more names are signed in slices. */
export const SUITE_NAMES_AT_ONCE = 60;

/** With which the stores of the suites are opened. */
export const suiteSigning: SigningSettings = {
  secrets: ['a secret of the store suite, of more than 32 characters'],
  soa: { nameservers: ['ns1.service.example', 'ns2.service.example'], mailbox: 'hostmaster@service.example' },
  limits: { namesAtOnce: SUITE_NAMES_AT_ONCE, names: 20 },
};

/** The fault of the clock of the stores of the suites; undefined: it is right. */
let clockFault: string | undefined;

export const findSuiteClockFault = (): string | undefined => clockFault;

/** Runs the work while the clock is wrong. */
export async function withClockFault(fault: string, work: () => Promise<void>): Promise<void> {
  clockFault = fault;
  try {
    await work();
  } finally {
    clockFault = undefined;
  }
}

const secrets = openKeySecrets(suiteSigning.secrets);

export function newZoneKey() {
  return createZoneKey({ id: newId(), algorithm: 13, createdAtSeconds: START_SECONDS }, secrets);
}

/** Switches signing on; returns the new key. */
export async function enableSigning(tenant: Tenant, name: ZoneName, denial: Denial) {
  const key = newZoneKey();
  const { author, scene } = tenant;
  await scene.must({ kind: 'updateDomain', author, name, dnsSec: { wanted: 'enabled', denial, key } });
  return key;
}

/** Returns what is wrong with a signed zone as it is served; empty if it is right and complete. */
export function checkServed(zones: ZoneSource, name: ZoneName, denial: Denial): readonly string[] {
  const records = servedZone(readStored(zones, name), name, denial);
  return checkSignedZone(records, ownerDomainName(APEX, name), START_SECONDS);
}

/** The rows of a zone in the order of their ids. */
function readStored(zones: ZoneSource, name: ZoneName): DomainRecord[] {
  const zone = zones.readZone(name);
  assert(zone !== undefined, `${name} is hosted`);
  const rows = Array.from(zone.records, (row) => ({ ...row, name: '', data: '', priority: -1 }));
  const apex = ownerDomainName(APEX, name);
  return rows.map((row, index) => ({ ...row, id: idOf(row, index) })).sort((a, b) => (a.id < b.id ? -1 : 1));

  function idOf({ owner, type, rdata }: (typeof rows)[number], index: number): string {
    switch (type) {
      case generatedType.signatures:
        return signaturesId(formatOrderKey(ownerBelow(owner, apex), countLabels(apex)));
      case generatedType.hashedName:
        return hashedNameId(decodeHashedName(rdata)?.hash ?? new Uint8Array());
      case generatedType.signedSoa:
        return SOA_ID;
      default:
        return owner === APEX && ownApexTypes.includes(type) ? keySetId(type, String(index)) : String(index);
    }
  }
}

/** With an empty non-terminal, a wildcard, a delegation and its glue. */
export async function newSigned(scene: StoreScene, denial: Denial): Promise<Signed> {
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain(newName());
  const records = [
    newRecord('', 1),
    newRecord('www', 2),
    newRecord('www', 3),
    newRecord('a.b', 4),
    newRecord('*.wild', 5),
    newDelegation('sub'),
    newRecord('ns.sub', 6),
  ];
  for (const record of records) await tenant.create(name, record);
  const key = await enableSigning(tenant, name, denial);
  const { serial } = await tenant.get(name);
  return { tenant, name, key, records, serial };
}

export interface Signed {
  readonly tenant: Tenant;
  readonly name: ZoneName;
  readonly key: Awaited<ReturnType<typeof enableSigning>>;
  readonly records: readonly DomainRecord[];
  /** When it was signed. */
  readonly serial: number;
}

export function newDelegation(owner: string): DomainRecord {
  const host = parseDomainName('ns.example.net');
  assert(host.ok, 'a host name');
  return newRecord(owner, 1, { type: rrType.NS, data: 'ns.example.net', rdata: host.value });
}
