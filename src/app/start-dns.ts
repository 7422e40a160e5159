import { randomBytes } from 'node:crypto';
import { watchDns } from '../metrics/watch-dns.ts';
import { watchWorkers } from '../metrics/watch-workers.ts';
import { observeZoneLoads, watchZones } from '../metrics/watch-zones.ts';
import {
  startNameserver,
  type Nameserver,
  type NameserverOptions,
} from '../nameserver/threads/nameserver.ts';
import { startPublisher, type Publisher } from '../publisher/publisher.ts';
import type { FollowedZones } from '../store/followed-zones.ts';
import { endProcess } from './end-process.ts';
import type { RunningParts } from './running-parts.ts';
import type { ChildSockets } from './child-messages.ts';
import type { StartOptions } from './service-options.ts';

export interface RunningDns {
  readonly nameserver: Nameserver;
  readonly publisher: Publisher;
}

/** Starts publisher and nameserver, which answer from the zones of the source. */
export async function startDns(
  { config, sockets, log, metrics: { registry } }: StartOptions,
  source: FollowedZones,
  parts: RunningParts,
): Promise<RunningDns> {
  const publisher = startPublisher({
    source,
    memoryBytes: config.zoneMemory,
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    readers: config.workers,
    // Secret, so that nobody can choose names that collide in the table of hosted zones.
    seed: randomBytes(4).readUInt32LE(),
    log,
    observer: observeZoneLoads(registry),
  });
  publisher.onFormerChange(() => source.noteFormer?.(publisher.formerZones().map(({ name }) => name)));
  watchZones(registry, () => publisher.figures());
  parts.add(() => publisher.close());
  const nameserver = await startNameserver({
    addresses: config.dns,
    ...takenOver(sockets),
    workers: config.workers,
    udp: config.udp,
    memory: publisher.memory,
    loadZone: (name) => publisher.loadZone(name),
    answering: {
      cookieSecret: config.cookieSecret ?? randomBytes(16),
      identifier: config.nsid,
      responsesPerSecond: config.rrl,
    },
    onUnrecoverable: (reason) => endProcess(reason, log),
    log,
  });
  parts.add(() => nameserver.stop());
  watchDns(registry, () => nameserver.queryCounts());
  watchWorkers(registry, () => nameserver.workerFigures());
  return { nameserver, publisher };
}

function takenOver({ dns }: ChildSockets): Pick<NameserverOptions, 'descriptors' | 'held'> {
  if (dns === undefined) return {};
  return dns.kind === 'held' ? { held: dns.sockets } : { descriptors: dns.descriptors };
}
