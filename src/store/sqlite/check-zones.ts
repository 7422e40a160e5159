import type { Steps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { SqliteZones } from './sqlite-zones.ts';

/** Octets of records after which other work may run: some 2 ms for 240 small records. */
const STEP_OCTETS = 64 * 1024;

/** The cost of a record besides its RDATA, and of a zone: reading and hashing one takes some 5 µs. */
const RECORD_OCTETS = 256;

const NAMES_AT_ONCE = 200;

export interface ZoneChecks {
  /** Whether an error means that the rows of one zone are damaged; any other ends the check. */
  readonly isDamage: (error: unknown) => boolean;
  /** Receives whether the rows of a zone are those that were written. */
  readonly onChecked: (name: ZoneName, isIntact: boolean) => void;
}

/**
 * Reads all zones, one after the other, also those that are withheld: they have to be right when they are released. A zone that changes meanwhile is compared with the hash of the same moment.
 *
 * @throws errors of SQLite if the file itself is damaged
 */
export function* checkZones(
  zones: Pick<SqliteZones, 'storedNames' | 'readStored'>,
  checks: ZoneChecks,
): Steps<void> {
  for (let names = zones.storedNames('', NAMES_AT_ONCE); names.length > 0;) {
    yield* checkNamed(zones, names, checks);
    names = zones.storedNames(names.at(-1) ?? '', NAMES_AT_ONCE);
  }
}

/** Like `checkZones`, for zones of these names. */
export function* checkNamed(
  zones: Pick<SqliteZones, 'readStored'>,
  names: Iterable<ZoneName>,
  { isDamage, onChecked }: ZoneChecks,
): Steps<void> {
  let octets = 0;
  for (const name of names) {
    try {
      for (const { rdata } of zones.readStored(name)?.records ?? []) {
        octets += RECORD_OCTETS + rdata.length;
        if (octets < STEP_OCTETS) continue;
        yield;
        octets = 0;
      }
      onChecked(name, true);
    } catch (error) {
      if (!isDamage(error)) throw error;
      onChecked(name, false);
    }
    octets += RECORD_OCTETS;
    if (octets < STEP_OCTETS) continue;
    yield;
    octets = 0;
  }
}
