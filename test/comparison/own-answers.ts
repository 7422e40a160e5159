// Our side in process: the zones in a zone space, with the query pipeline of a nameserver thread and no sockets.

import { assert } from '../../src/base/assert.ts';
import type { Parsed } from '../../src/base/parsed.ts';
import { lowerDomainName, parseDomainName } from '../../src/dns/name.ts';
import { parseRdata } from '../../src/dns/rdata/rdata.ts';
import { createAnswerer } from '../../src/nameserver/query/query-pipeline.ts';
import type { OwnerSets } from '../../src/zone/zone-memory.ts';
import { ZoneMemory } from '../../src/zone/zone-memory.ts';
import { createZoneSpace } from '../../src/zone/zone-space.ts';
import { encodeQuery, typeNumber, type Query } from './message.ts';
import type { TestRecord, TestZone } from './test-zone.ts';

const MEMORY_BYTES = 64 * 2 ** 20;
/** Buffer sizes of the sockets: room for a message over UDP and TCP. */
const UDP_ROOM_BYTES = 4096;
const TCP_ROOM_BYTES = 65_535;

export interface OwnAnswers {
  /** Resolves with undefined if no answer is due. */
  ask(query: Query): Promise<Buffer | undefined>;
  askRaw(packet: Buffer, tcp: boolean): Promise<Buffer | undefined>;
}

/** Answers synchronously, but has the interface of a server. */
export function serveZones(zones: readonly TestZone[]): OwnAnswers {
  const answerer = createAnswerer({ memory: loadZones(zones, 1), reader: 0 });
  const buffer = new Uint8Array(TCP_ROOM_BYTES);
  const answer = (packet: Buffer, tcp: boolean): Buffer | undefined => {
    buffer.set(packet);
    answerer.enter(0);
    const length = answerer.answer(buffer, 0, packet.length, tcp ? TCP_ROOM_BYTES : UDP_ROOM_BYTES, tcp);
    answerer.leave();
    assert(length >= 0, 'every zone is loaded');
    return length === 0 ? undefined : Buffer.from(buffer.subarray(0, length));
  };
  return {
    ask: (query) => Promise.resolve(answer(encodeQuery(query), query.tcp)),
    askRaw: (packet, tcp) => Promise.resolve(answer(packet, tcp)),
  };
}

/** Creates a zone space with these zones. */
export function loadZones(zones: readonly TestZone[], readers: number): SharedArrayBuffer {
  const memory = new ZoneMemory(createZoneSpace(MEMORY_BYTES, readers, 99));
  for (const zone of zones) loadZone(memory, zone);
  return memory.space.memory;
}

export function loadZone(memory: ZoneMemory, zone: TestZone): void {
  const apex = lowerDomainName(valueOf(parseDomainName(zone.apex)));
  memory.host(apex);
  // Hosted, but not in memory.
  if (zone.records.length === 0) return;
  const [soa, ...others] = zone.records;
  const soaData = rdataOf(soa);
  const minimum = new DataView(soaData.buffer, soaData.byteOffset).getUint32(soaData.length - 4);
  const content = {
    apex,
    domainId: 1,
    account: '',
    soa: { serial: 1, rdata: soaData, ttl: soa.ttl, negativeTtl: Math.min(soa.ttl, minimum) },
  };
  assert(memory.load(content, ownersOf(others)), `room for ${zone.apex}`);
}

function ownersOf(records: readonly TestRecord[]): OwnerSets[] {
  return groupBy(records, ({ owner }) => owner.toLowerCase()).map((ofOwner) => ({
    owner: valueOf(parseDomainName(ofOwner[0].owner)),
    sets: groupBy(ofOwner, ({ type }) => type).map((ofType) => ({
      type: typeNumber(ofType[0].type),
      ttl: ofType[0].ttl,
      rdatas: ofType.map(rdataOf),
    })),
  }));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** The data in uncompressed wire form. */
export function rdataOf({ type, data }: TestRecord): Uint8Array {
  return Uint8Array.from(valueOf(parseRdata(typeNumber(type), data)));
}

export function valueOf<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
