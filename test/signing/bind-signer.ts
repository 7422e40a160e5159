// Signs a zone with BIND's tools: dnssec-keygen makes a key that signs everything, dnssec-signzone the zone.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDomainName } from '../../src/dns/name.ts';
import { findRecordType } from '../../src/dns/rdata/record-type-registry.ts';
import { readZoneRecords, type ZoneRecord } from '../../src/dnssec/zone-records.test-support.ts';
import { makeBindKey, mustRun, type BindAlgorithm } from './bind-keys.ts';
import { formatForTools } from './format-for-tools.ts';
import type { SigningZone } from './zones.ts';

export interface BindSigning {
  readonly algorithm: BindAlgorithm;
  /** NSEC if absent. */
  readonly nsec3?: { readonly salt: string; readonly iterations: number };
}

export async function signWithBind(
  { apex, records }: SigningZone,
  { algorithm, nsec3 }: BindSigning,
  parentFolder: string,
): Promise<ZoneRecord[]> {
  const { folder } = await makeBindKey(algorithm, apex, parentFolder);
  writeFileSync(join(folder, 'zone'), formatForTools(records.filter(isReadable)));
  const denial = nsec3 === undefined ? [] : ['-3', nsec3.salt, '-H', String(nsec3.iterations)];
  const origin = formatDomainName(apex);
  const args = ['-q', '-S', '-z', '-K', '.', '-O', 'full', '-o', origin, '-f', 'signed', ...denial, 'zone'];
  await mustRun('dnssec-signzone', args, folder);
  return readZoneRecords(readFileSync(join(folder, 'signed'), 'utf8'), apex);
}

/** BIND writes data of all types that it knows as text; we read that of types that we have declared. */
function isReadable({ type }: ZoneRecord): boolean {
  return findRecordType(type) !== undefined || type >= FIRST_PRIVATE_TYPE;
}

/** RFC 6895 section 3.1. */
const FIRST_PRIVATE_TYPE = 65_280;
