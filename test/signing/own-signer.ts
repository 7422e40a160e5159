// Signs a zone with our code.

import type { Denial } from '../../src/dns/proven-types.ts';
import { openKeySecrets } from '../../src/dnssec/key-secrets.ts';
import { createZoneKey } from '../../src/dnssec/private-key.ts';
import { signatureTimes } from '../../src/dnssec/signature-times.ts';
import { signWholeZone } from '../../src/dnssec/sign-whole-zone.test-support.ts';
import type { MadeAlgorithm, ZoneKey } from '../../src/dnssec/zone-key.ts';
import type { ZoneRecord } from '../../src/dnssec/zone-records.test-support.ts';
import { createZoneSigner } from '../../src/dnssec/zone-signer.ts';
import type { SigningZone } from './zones.ts';

export const secrets = openKeySecrets(['the secret of the signing tests, 32 characters and more']);
const signer = createZoneSigner(secrets);
let keys = 0;

export function newKey(algorithm: MadeAlgorithm): ZoneKey {
  return createZoneKey({ id: `key ${++keys}`, algorithm, createdAtSeconds: 0 }, secrets);
}

export function signHere({ apex, records }: SigningZone, key: ZoneKey, denial: Denial): ZoneRecord[] {
  const times = signatureTimes(1, Math.floor(Date.now() / 1000));
  return signWholeZone(records, { apex, denial, key, signer, times });
}
