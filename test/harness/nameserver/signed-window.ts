/**
 * A signed zone that moves on: version v holds the apex and a window of names that begins with number v. So the serial
 * alone says which names a reader must find in the chain.
 */

import type { OwnerSets } from '../../../src/zone/image-builder.ts';
import {
  apex,
  name,
  nsec3Owner,
  nsecOwner,
  signature,
  soa,
} from '../../../src/zone/signed-zone.test-support.ts';
import type { ZoneContent } from '../../../src/zone/zone-memory.ts';
import { rrType } from '../../../src/dns/codes.ts';
import type { Denial } from '../../../src/dns/proven-types.ts';

/** More than two blocks of a chain hold. */
export const WINDOW_NAMES = 300;

export function windowOwner(number: number, denial: Denial): OwnerSets {
  const owner = name(`n${number}.example`);
  return denial === 'nsec' ? nsecOwner(owner, number) : nsec3Owner(owner, number);
}

export function windowOwners(version: number, denial: Denial): OwnerSets[] {
  const first = denial === 'nsec' ? nsecOwner(apex, 0) : nsec3Owner(apex, 0);
  return [first, ...Array.from({ length: WINDOW_NAMES }, (_, i) => windowOwner(version + i, denial))];
}

/** The owners that differ from the version before. */
export function windowChange(version: number, denial: Denial): OwnerSets[] {
  const { owner } = windowOwner(version - 1, denial);
  return [windowOwner(version + WINDOW_NAMES - 1, denial), { owner, sets: [] }];
}

export function windowContent(version: number): ZoneContent {
  const rdata = new Uint8Array(soa.rdata);
  // The serial comes after two names, which are the root here.
  new DataView(rdata.buffer).setUint32(2, version);
  const signatures = [signature(rrType.SOA, version)];
  return { apex, domainId: 1, account: '', soa: { ...soa, serial: version, rdata, signatures } };
}
