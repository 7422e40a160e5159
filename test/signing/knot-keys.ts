// RSA keys that Knot's keymgr makes: PEM files in its key database.

import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDomainName, type DomainName } from '../../src/dns/name.ts';
import { sealZoneKey } from '../../src/dnssec/private-key.ts';
import { readPrivateKey } from '../../src/dnssec/read-private-key.ts';
import type { ZoneKey } from '../../src/dnssec/zone-key.ts';
import { mustRun } from './bind-keys.ts';
import { secrets } from './own-signer.ts';

/** Reads Knot's key with our code. Throws unless key tag and DNSKEY data are those that Knot states. */
export async function importKnotKey(apex: DomainName, parentFolder: string): Promise<ZoneKey> {
  const folder = mkdtempSync(join(parentFolder, 'knot-'));
  mkdirSync(join(folder, 'keys'));
  const zone = formatDomainName(apex);
  const keymgr = (...words: string[]): Promise<string> =>
    mustRun('keymgr', ['-D', join(folder, 'keys'), zone, ...words], folder);
  const id = (await keymgr('generate', 'algorithm=rsasha256', 'size=2048', 'ksk=yes', 'zsk=yes')).trim();
  const material = readPrivateKey(readFileSync(join(folder, 'keys', 'keys', `${id}.pem`), 'utf8'));
  if (!material.ok) throw new Error(material.problem);
  const key = sealZoneKey({ id, createdAtSeconds: 0, origin: 'imported' }, material.value, secrets);
  const stated = /DNSKEY 257 3 8 (\S+)/.exec(await keymgr('dnskey', id))?.[1];
  if (stated !== Buffer.from(key.dnskey.subarray(4)).toString('base64')) {
    throw new Error(`the public key of ${id} is not that which Knot states`);
  }
  return key;
}
