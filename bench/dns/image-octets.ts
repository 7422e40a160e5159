/**
 * `node --import tsx bench/dns/image-octets.ts [names …]` measures how much memory a name takes in the image of a zone that is
 * unsigned, signed with NSEC, and signed with NSEC3: one A record a name, names of 20 octets, loaded in order.
 */

import { rrType } from '../../src/dns/codes.ts';
import type { ZonePart } from '../../src/zone/image-builder.ts';
import { NO_IMAGE, type ImageStart } from '../../src/zone/image-offsets.ts';
import { NameScan } from '../../src/zone/name-scan.ts';
import { findZone } from '../../src/zone/zone-directory.ts';
import { imageGarbageBytes, imageSizeBytes, imageUsedBytes } from '../../src/zone/zone-image.ts';
import { ZoneMemory, type OwnerSets } from '../../src/zone/zone-memory.ts';
import { createZoneSpace } from '../../src/zone/zone-space.ts';
import { printTable } from '../print-table.ts';
import { benchDenials, emptySignature, nameOf, ownerOf, type BenchDenial } from './signed-owner.ts';

/** Names that are signed in one slice. */
const SLICE_NAMES = 1000;
/** Room for a zone while it grows: the image, and the larger one that takes its place. */
const BYTES_A_NAME = 1024;
const BYTES_PER_MIB = 2 ** 20;

const apex = nameOf('example.com.');

function* ownersOf(denial: BenchDenial, names: number): Generator<OwnerSets> {
  yield ownerOf('example.com.', [[rrType.NS, nameOf('ns.example.net.')]], denial);
  const address = Uint8Array.of(192, 0, 2, 1);
  for (let i = 0; i < names; i++) {
    const label = String(i).padStart(6, '0');
    yield ownerOf(`${label}.example.com.`, [[rrType.A, address]], denial, Math.floor(i / SLICE_NAMES));
  }
}

function* partsOf(denial: BenchDenial, names: number): Generator<ZonePart, undefined> {
  yield* ownersOf(denial, names);
  const signatures = denial === 'unsigned' ? [] : [emptySignature(rrType.SOA)];
  yield { soa: { serial: 1, rdata: new Uint8Array(60), ttl: 3600, negativeTtl: 300, signatures } };
}

/** Loads a zone as the service does, which knows how many records there are. */
function load(denial: BenchDenial, names: number): ZoneMemory {
  const zones = new ZoneMemory(
    createZoneSpace(2 ** Math.ceil(Math.log2(2 ** 24 + names * BYTES_A_NAME)), 1, 7),
  );
  zones.host(apex);
  const parts = partsOf(denial, names);
  const zone = { apex, domainId: 1, account: '', expectedRecords: names + 2 };
  const steps = zones.loading(zone, () => parts.next().value);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true && value) return zones;
    if (done === true) throw new Error('no room');
  }
}

function imageOf(zones: ZoneMemory): ImageStart {
  const name = new NameScan(zones.space.seed);
  name.scan(apex, 0, apex.length);
  const found = { image: NO_IMAGE, apexLabel: 0 };
  findZone(zones.space, name, 0, found);
  return found.image;
}

function rowOf(denial: BenchDenial, names: number): string[] {
  const zones = load(denial, names);
  const { words } = zones.space;
  const image = imageOf(zones);
  const used = imageUsedBytes(words, image);
  const inUse = used - imageGarbageBytes(words, image);
  const octets = [inUse, used].map((bytes) => (bytes / names).toFixed(1));
  return [`${denial}, ${names} names`, ...octets, String(imageSizeBytes(words, image) / BYTES_PER_MIB)];
}

const given = process.argv.slice(2).map(Number);
const sizes = given.length === 0 ? [100_000, 1_000_000] : given;
const rows = sizes.flatMap((names) => benchDenials.map((denial) => rowOf(denial, names)));
printTable(['zone', 'octets a name', 'with garbage', 'block, MiB'], rows);
