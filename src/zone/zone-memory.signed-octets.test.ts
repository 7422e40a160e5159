import { expect, test } from 'vitest';
import { apex, name, nsec3Owner, nsecOwner, signature, soa, viewOf } from './signed-zone.test-support.ts';
import { rrType } from '../dns/codes.ts';
import { imageGarbageBytes, imageUsedBytes } from './zone-image.ts';
import { ZoneMemory } from './zone-memory.ts';
import { createZoneSpace } from './zone-space.ts';

const NAMES = 10_000;
/** A zone of a million signed names then fits into a block of 256 MiB. */
const MAX_OCTETS_A_NAME = 268;

test.each([
  ['NSEC', nsecOwner],
  ['NSEC3', nsec3Owner],
])('a name with an address and its signatures takes at most 268 octets with %s', (_, ownerOf) => {
  const zones = new ZoneMemory(createZoneSpace(2 ** 24, 1, 1));
  zones.host(apex);
  const content = { apex, domainId: 1, account: '', soa: { ...soa, signatures: [signature(rrType.SOA, 0)] } };
  const owners = Array.from({ length: NAMES }, (_, i) => ownerOf(name(`host-${i}.example`), i));
  expect(zones.load(content, [ownerOf(apex, 0), ...owners])).toBe(true);
  const { words, image } = viewOf(zones);
  const octets = imageUsedBytes(words, image) - imageGarbageBytes(words, image);
  expect(octets / NAMES).toBeLessThanOrEqual(MAX_OCTETS_A_NAME);
});
