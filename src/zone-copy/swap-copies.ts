import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { isDamage, remadePath, takeRemade } from './copy-file.ts';
import { copyTables } from './hashed-tables.ts';

/** Names per step: some 5 ms. */
const NAMES_AT_ONCE = 500;

export interface Swapping {
  readonly path: string;
  /** The zones of the damaged copy; closed when they are no longer read. */
  readonly damaged: SqliteZones;
  /** Called at once with the zones of the remade copy, under the name of the damaged one. */
  readonly onSwapped: (zones: SqliteZones) => void;
  readonly publish: (updates: readonly ZoneUpdate[]) => void;
}

/**
 * Puts the remade copy in the place of the damaged one. Every zone is then read again when it is needed, because nothing that
 * was read from the damaged copy is proven, and names that only the damaged copy had are no longer served.
 */
export async function swapCopies({ path, damaged, onSwapped, publish }: Swapping): Promise<void> {
  const gone = await findGone(damaged, remadePath(path));
  damaged.close();
  takeRemade(path);
  const zones = new SqliteZones(path, copyTables);
  onSwapped(zones);
  publish(gone.map((name) => ({ kind: 'deleted', domainId: 0, name })));
  for (let heads = zones.headsAfter('', NAMES_AT_ONCE); heads.length > 0;) {
    publish(heads.map((head) => ({ kind: 'replaced', head })));
    await new Promise(setImmediate);
    heads = zones.headsAfter(heads.at(-1)?.name ?? '', NAMES_AT_ONCE);
  }
}

/** Finds the names that only the damaged copy has, as far as it can be read. */
async function findGone(damaged: SqliteZones, remade: string): Promise<ZoneName[]> {
  const fresh = new SqliteZones(remade, copyTables);
  const gone: ZoneName[] = [];
  try {
    for (let names = damaged.hostedNames('', NAMES_AT_ONCE); names.length > 0;) {
      gone.push(...names.filter((name) => !fresh.hosts(name)));
      await new Promise(setImmediate);
      names = damaged.hostedNames(names.at(-1) ?? '', NAMES_AT_ONCE);
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  } finally {
    fresh.close();
  }
  return gone;
}
