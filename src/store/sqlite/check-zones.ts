import type { ZoneName } from '../../model/domain.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import type { SqliteZones } from './sqlite-zones.ts';

/**
 * Octets of records that a background round reads in a second: a fiftieth of a processor. A copy of ten million records is
 * read within half an hour.
 */
export const CHECKED_OCTETS_PER_SECOND = 1024 * 1024;

/** Octets of records after which other work may run: some 2 ms. */
const STEP_OCTETS = 64 * 1024;

/** The cost of a record besides its RDATA, and of a zone. */
const RECORD_OCTETS = 96;

const NAMES_AT_ONCE = 200;

/**
 * Reads all zones, one after the other, and yields the octets read since the last step. A zone that changes meanwhile is
 * compared with the hash of the same moment.
 *
 * @param onChecked receives whether the rows of a zone are those that were written
 * @throws errors of SQLite if the file itself is damaged
 */
export function* checkZones(
  zones: Pick<SqliteZones, 'hostedNames' | 'readZone'>,
  onChecked: (name: ZoneName, isIntact: boolean) => void,
): Generator<number, void> {
  let octets = 0;
  for (let names = zones.hostedNames('', NAMES_AT_ONCE); names.length > 0;) {
    for (const name of names) {
      try {
        for (const { rdata } of zones.readZone(name)?.records ?? []) {
          octets += RECORD_OCTETS + rdata.length;
          if (octets < STEP_OCTETS) continue;
          yield octets;
          octets = 0;
        }
        octets += RECORD_OCTETS;
        onChecked(name, true);
      } catch (error) {
        if (!(error instanceof ZoneDamaged)) throw error;
        onChecked(name, false);
      }
    }
    yield octets;
    octets = 0;
    names = zones.hostedNames(names.at(-1) ?? '', NAMES_AT_ONCE);
  }
}
