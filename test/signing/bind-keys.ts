// Keys that dnssec-keygen makes.

import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rrType } from '../../src/dns/codes.ts';
import { formatDomainName, type DomainName } from '../../src/dns/name.ts';
import { sealZoneKey } from '../../src/dnssec/private-key.ts';
import { readPrivateKey } from '../../src/dnssec/read-private-key.ts';
import type { ZoneKey } from '../../src/dnssec/zone-key.ts';
import { readZoneRecords } from '../../src/dnssec/zone-records.test-support.ts';
import { runProgram } from '../interop/run-program.ts';
import { secrets } from './own-signer.ts';

export type BindAlgorithm = 'ECDSAP256SHA256' | 'ED25519' | 'RSASHA256' | 'RSASHA512';

/** Makes a key that signs everything in a folder of its own; returns the folder and the name of its files. */
export async function makeBindKey(
  algorithm: BindAlgorithm,
  apex: DomainName,
  parentFolder: string,
): Promise<{ readonly folder: string; readonly name: string }> {
  const folder = mkdtempSync(join(parentFolder, 'bind-'));
  const bits = algorithm.startsWith('RSA') ? ['-b', '2048'] : [];
  const args = ['-q', '-a', algorithm, ...bits, '-f', 'KSK', formatDomainName(apex)];
  const stdout = await mustRun('dnssec-keygen', args, folder);
  return { folder, name: stdout.trim() };
}

/** Reads BIND's key with our code. Throws unless key tag and DNSKEY data are those that BIND states. */
export async function importBindKey(
  algorithm: BindAlgorithm,
  apex: DomainName,
  parentFolder: string,
): Promise<ZoneKey> {
  const { folder, name } = await makeBindKey(algorithm, apex, parentFolder);
  const material = readPrivateKey(readFileSync(join(folder, `${name}.private`), 'utf8'));
  if (!material.ok) throw new Error(material.problem);
  const key = sealZoneKey({ id: name, createdAtSeconds: 0, origin: 'imported' }, material.value, secrets);
  const text = `$TTL 3600\n${readFileSync(join(folder, `${name}.key`), 'utf8')}`;
  const dnskey = readZoneRecords(text, apex).find(({ type }) => type === rrType.DNSKEY);
  if (dnskey === undefined || Buffer.compare(dnskey.rdata, key.dnskey) !== 0) {
    throw new Error(`the public key of ${name} is not that of its file`);
  }
  if (!name.endsWith(`+${String(key.tag).padStart(5, '0')}`))
    throw new Error(`${name} has the tag ${key.tag}`);
  return key;
}

export async function mustRun(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
