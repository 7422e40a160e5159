import { LocalServer } from '../store/local-sockets.ts';
import { readWakes } from '../store/sqlite/read-wakes.ts';
import { wakePathOf } from './link-messages.ts';
import { LinkServer } from './link-server.ts';
import { openZones } from './open-zones.ts';
import { startInParts } from './running-parts.ts';
import { createProcessMetrics } from './service-metrics.ts';
import type { ChildOptions, RunningChild } from './service-options.ts';
import { startDns } from './start-dns.ts';

/** Starts the child process that answers DNS. It needs neither the other child nor a database. */
export function startNameserverChild(options: ChildOptions): Promise<RunningChild> {
  const { config, link, tell } = options;
  return startInParts(options, async (parts) => {
    const metrics = createProcessMetrics(config);
    const withMetrics = { ...options, metrics };
    const zones = await openZones(withMetrics, parts);
    const { nameserver, publisher } = await startDns(withMetrics, zones, parts);
    if (config.database.kind === 'sqlite') {
      const wakes = await LocalServer.open(wakePathOf(link), (socket) => readWakes(socket, zones));
      parts.add(() => wakes.close());
    }
    const server = await LinkServer.open(link, {
      zones,
      publisher,
      addresses: nameserver.addresses,
      workerFigures: () => nameserver.workerFigures(),
      renderMetrics: () => metrics.render(),
    });
    parts.add(() => server.close());
    parts.complete();
    tell({ kind: 'serving', dns: nameserver.addresses });
    tell({ kind: 'ready', adminKey: { kind: 'kept' } });
    return { stop: () => parts.stop() };
  });
}
