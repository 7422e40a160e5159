import { systemClock } from '../base/clock.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { SqliteFeedFollower } from '../store/sqlite/sqlite-feed-follower.ts';
import type { FollowedZones } from '../store/followed-zones.ts';
import { endProcess } from './end-process.ts';
import { warnOfUnusedStore } from './open-stores.ts';
import type { RunningParts } from './running-parts.ts';
import { watchFollowedZones } from './service-metrics.ts';
import type { StartOptions } from './service-options.ts';

/**
 * Opens the zones that a process answers DNS from: the file of the embedded store, or a copy of PostgreSQL. A copy that is
 * behind gets a moment to catch up, so that a restart does not take answers back.
 */
export async function openZones(options: StartOptions, parts: RunningParts): Promise<FollowedZones> {
  const { metrics } = options;
  const zones = await open(options, parts);
  watchFollowedZones(metrics, zones);
  return zones;
}

async function open({ config, log }: StartOptions, parts: RunningParts): Promise<FollowedZones> {
  const { data: folder, database, serverName: nameserver } = config;
  if (database.kind === 'sqlite') {
    const onLost = (reason: string): void => endProcess(reason, log);
    const zones = new SqliteFeedFollower({ path: storePath(folder), log, onLost });
    parts.add(() => zones.close());
    return zones;
  }
  warnOfUnusedStore(folder, log);
  const { openZoneCopy } = await import('../zone-copy/zone-copy.ts');
  const copy = await openZoneCopy({ folder, address: database.address, nameserver, clock: systemClock, log });
  parts.add(() => copy.close());
  await copy.settled();
  return copy;
}
