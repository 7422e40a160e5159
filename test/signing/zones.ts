// The zones that are signed: those of test/comparison, random ones, and those of this folder.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainName } from '../../src/dns/name.ts';
import { nameOf, readZoneRecords, type ZoneRecord } from '../../src/dnssec/zone-records.test-support.ts';
import { generateZone } from '../comparison/generate-zone.ts';
import { formatZone, readZoneFile, type TestZone } from '../comparison/test-zone.ts';
import { seededRandom } from '../harness/random.ts';
import { everyTypeZone } from './every-type.ts';

export interface SigningZone {
  readonly title: string;
  readonly apex: DomainName;
  readonly records: readonly ZoneRecord[];
  /** Servers whose programs cannot read the zone, or differ from the RFCs; the zone gives the reason. */
  readonly without: readonly string[];
}

const RANDOM_ZONES = 20;

const comparisonFolder = join(import.meta.dirname, '../comparison/zones');
const ownFolder = join(import.meta.dirname, 'zones');

export function allZones(): SigningZone[] {
  const comparison = filesBelow(comparisonFolder).map((path) => fromTestZone(path, readZoneFile(path)));
  const own = filesBelow(ownFolder).map(readOwnZone);
  const random = Array.from({ length: RANDOM_ZONES }, (_, index) => {
    const zone = generateZone(seededRandom(index + 1), `seed${index + 1}.test.`);
    return fromTestZone(zone.apex, zone);
  });
  return [...comparison, ...own, everyTypeZone(), ...random];
}

function fromTestZone(path: string, zone: TestZone): SigningZone {
  const apex = nameOf(zone.apex);
  const records = readZoneRecords(formatZone(zone), apex);
  return { title: path.replace(`${comparisonFolder}/`, ''), apex, records, without: zone.without };
}

/** `$ORIGIN` first; `; without server` names a server whose programs do not read the zone. */
function readOwnZone(path: string): SigningZone {
  const text = readFileSync(path, 'utf8');
  const apex = nameOf(/^\$ORIGIN (\S+)/m.exec(text)?.[1] ?? '.');
  const without = [...text.matchAll(/^; without (\S+)/gm)].map(([, program = '']) => program);
  return { title: path.replace(`${ownFolder}/`, ''), apex, records: readZoneRecords(text, apex), without };
}

function filesBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.zone')).map((path) => join(folder, path));
}
