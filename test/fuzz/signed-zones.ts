/** The zones of a fuzz run, signed, and packets that ask for signatures. */

import { loadSignedZones } from '../../src/nameserver/query/signed-answers.test-support.ts';
import { signTestZone, type TestSigning } from '../../src/nameserver/query/signed-zone.test-support.ts';
import type { TestZone } from '../comparison/test-zone.ts';

/** The root's name and the type of an EDNS record. */
const ednsStart = Buffer.from([0, 0, 41]);
const FLAGS_OFFSET = 7;
const DNSSEC_OK = 0x80;

/** Signs one zone after the other with NSEC and with NSEC3. */
export function loadZonesSigned(zones: readonly TestZone[], readers: number): SharedArrayBuffer {
  const signed = zones.map((zone, i): ReturnType<typeof signTestZone> => {
    const signing: TestSigning = { denial: i % 2 === 0 ? 'nsec' : 'nsec3', algorithm: i % 3 === 0 ? 15 : 13 };
    return signTestZone(zone, signing);
  });
  return loadSignedZones(signed, readers);
}

/** The packet with DO set, if it has an EDNS record. */
export function withDnssecOk(packet: Uint8Array): Uint8Array {
  const at = Buffer.from(packet).lastIndexOf(ednsStart);
  const changed = Uint8Array.from(packet);
  if (at >= 0 && at + FLAGS_OFFSET < packet.length) changed[at + FLAGS_OFFSET] |= DNSSEC_OK;
  return changed;
}
