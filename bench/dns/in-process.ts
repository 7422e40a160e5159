/**
 * `node --import tsx bench/dns/in-process.ts [names] [zone [answer]]` measures the query pipeline without sockets: the processor time of
 * an answer from a zone that is unsigned, signed with NSEC, and signed with NSEC3. The signatures are of the right size,
 * but made of nothing: a nameserver only copies them.
 */

import { rrType } from '../../src/dns/codes.ts';
import { createAnswerer } from '../../src/nameserver/query/query-pipeline.ts';
import { ZoneMemory, type OwnerSets } from '../../src/zone/zone-memory.ts';
import { createZoneSpace } from '../../src/zone/zone-space.ts';
import { seededRandom, type Random } from '../../test/harness/random.ts';
import { printTable } from '../print-table.ts';
import { benchDenials, emptySignature, nameOf, ownerOf, type BenchDenial } from './signed-owner.ts';

const names = Number(process.argv[2] ?? 1000);
const QUERIES = 200_000;
const ROUNDS = 7;
/** Distinct queries, so that caches of the processor see what a server sees. */
const DISTINCT = 10_000;
const UDP_ROOM_BYTES = 4096;
/** Room for a zone while it grows: the image, and the larger one that takes its place. */
const BYTES_A_NAME = 1024;

const kinds = ['positive', 'no such name', 'no such type', 'wildcard'] as const;

function* ownersOf(denial: BenchDenial): Generator<OwnerSets> {
  const address = Uint8Array.of(192, 0, 2, 1);
  const nameserver = nameOf('ns.example.net.');
  const soa = denial === 'unsigned' ? [] : [[rrType.DNSKEY, new Uint8Array(68)] as const];
  yield ownerOf('example.com.', [[rrType.NS, nameserver], ...soa], denial);
  if (denial === 'nsec3') yield ownerOf('wild.example.com.', [], denial);
  yield ownerOf('*.wild.example.com.', [[rrType.A, address]], denial);
  for (let i = 0; i < names; i++) yield ownerOf(`host-${i}.example.com.`, [[rrType.A, address]], denial);
}

function load(denial: BenchDenial): SharedArrayBuffer {
  const zones = new ZoneMemory(
    createZoneSpace(2 ** Math.ceil(Math.log2(2 ** 24 + names * BYTES_A_NAME)), 1, 7),
  );
  const apex = nameOf('example.com.');
  zones.host(apex);
  const rdata = new Uint8Array([...nameserverNames(), ...new Uint8Array(20)]);
  const signatures = denial === 'unsigned' ? [] : [emptySignature(rrType.SOA)];
  const soa = { serial: 1, rdata, ttl: 3600, negativeTtl: 300, signatures };
  if (!zones.load({ apex, domainId: 1, account: '', soa }, ownersOf(denial))) throw new Error('no room');
  return zones.space.memory;
}

function nameserverNames(): number[] {
  return [...nameOf('ns.example.net.'), ...nameOf('hostmaster.example.net.')];
}

function questionOf(kind: (typeof kinds)[number], random: Random): [string, number] {
  const host = random.below(names);
  const anything = random.below(1_000_000_000).toString(36);
  if (kind === 'positive') return [`host-${host}.example.com.`, rrType.A];
  if (kind === 'no such name') return [`host-${host}-${anything}.example.com.`, rrType.A];
  if (kind === 'no such type') return [`host-${host}.example.com.`, rrType.AAAA];
  return [`${anything}.wild.example.com.`, rrType.A];
}

function packetOf([name, type]: [string, number], isDnssecOk: boolean): Uint8Array {
  const opt = [0, 0, 41, 4, 208, 0, 0, isDnssecOk ? 0x80 : 0, 0, 0, 0];
  return Uint8Array.of(
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    1,
    ...nameOf(name),
    type >> 8,
    type & 255,
    0,
    1,
    ...opt,
  );
}

/** Microseconds of processor time for one answer, and its octets. */
function measure(memory: SharedArrayBuffer, packets: readonly Uint8Array[]): [number, number] {
  const answerer = createAnswerer({ memory, reader: 0 });
  const buffer = new Uint8Array(UDP_ROOM_BYTES);
  let octets = 0;
  const run = (): number => {
    const before = process.cpuUsage();
    for (let i = 0; i < QUERIES; i++) {
      const packet = packets[i % packets.length];
      buffer.set(packet);
      answerer.enter(0);
      octets = answerer.answer(buffer, 0, packet.length, UDP_ROOM_BYTES, false);
      answerer.leave();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / QUERIES;
  };
  const rounds = Array.from({ length: ROUNDS }, run);
  return [Math.min(...rounds), octets];
}

const random = seededRandom(1);
const [onlyZone, onlyAnswer] = process.argv.slice(3);
const isWanted = (wanted: string | undefined, present: string): boolean => (wanted ?? present) === present;
const rows = benchDenials
  .filter((denial) => isWanted(onlyZone, denial))
  .flatMap((denial) => {
    const memory = load(denial);
    return kinds
      .filter((kind) => isWanted(onlyAnswer, kind))
      .flatMap((kind) =>
        [false, true].map((isDnssecOk) => {
          const packets = Array.from({ length: DISTINCT }, () =>
            packetOf(questionOf(kind, random), isDnssecOk),
          );
          const [microseconds, octets] = measure(memory, packets);
          return [denial, kind, isDnssecOk ? 'DO' : '', microseconds.toFixed(2), String(octets)];
        }),
      );
  });
printTable(['zone', 'answer', 'query', 'µs', 'octets'], rows);
