// Signs a zone file as another signer would, whose keys the service does not have.
import type { Denial } from '../dns/proven-types.ts';
import { openKeySecrets } from './key-secrets.ts';
import { assert } from '../base/assert.ts';
import { createZoneKey, sealZoneKey } from './private-key.ts';
import { readPrivateKey } from './read-private-key.ts';
import { signWholeZone } from './sign-whole-zone.test-support.ts';
import type { ZoneKey } from './zone-key.ts';
import { formatZoneRecords, nameOf, readZoneRecords } from './zone-records.test-support.ts';
import { createZoneSigner } from './zone-signer.ts';

const DAY_SECONDS = 86_400;
const secrets = openKeySecrets(['the secret of another signer, of 32 characters and more']);
const signer = createZoneSigner(secrets);
let keys = 0;

export interface FileSigning {
  readonly denial?: Denial;
  readonly key?: ZoneKey;
  /** Days from now until the signatures end. */
  readonly days?: number;
  /** The real time by default. */
  readonly nowSeconds?: number;
}

export function newSignerKey(): ZoneKey {
  return createZoneKey({ id: `signer ${++keys}`, algorithm: 13, createdAtSeconds: 0 }, secrets);
}

/** @param pem a private key, as its owner has it */
export function readSignerKey(pem: string): ZoneKey {
  const material = readPrivateKey(pem);
  assert(material.ok, 'the text is a private key');
  const about = { id: `signer ${++keys}`, createdAtSeconds: 0, origin: 'imported' } as const;
  return sealZoneKey(about, material.value, secrets);
}

/** @param text of a zone file, relative to the domain, with SOA and NS records */
export function signFile(
  domain: string,
  text: string,
  {
    denial = 'nsec',
    key = newSignerKey(),
    days = 20,
    nowSeconds = Math.floor(Date.now() / 1000),
  }: FileSigning = {},
): string {
  const apex = nameOf(`${domain}.`);
  const times = { inception: nowSeconds - DAY_SECONDS, expiration: nowSeconds + days * DAY_SECONDS };
  const records = readZoneRecords(text, apex);
  return formatZoneRecords(signWholeZone(records, { apex, denial, key, signer, times }));
}

/** A small zone with everything that a chain has to pass over. @param serial of the SOA record */
export function fileText(serial: number, more = ''): string {
  return `@ 7200 SOA ns1 hostmaster ${serial} 7200 900 1209600 600
@ 3600 NS ns1
@ 3600 NS ns2.other.example.
@ 3600 MX 10 mail
ns1 3600 A 192.0.2.1
mail 300 A 192.0.2.2
a.b.c 3600 TXT "deep"
*.wild 60 CNAME mail
cut 3600 NS ns.cut
cut 3600 DS 12345 13 2 00000000000000000000000000000000000000000000000000000000000000AA
ns.cut 3600 A 192.0.2.4
insecure 3600 NS ns.cut
dn 3600 DNAME other.example.
${more}`;
}
