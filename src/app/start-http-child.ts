import type { ChildOptions, RunningChild } from './service-options.ts';
import { linkNameserver } from './linked-nameserver.ts';
import { startInParts } from './running-parts.ts';
import { createServiceMetrics } from './service-metrics.ts';
import { startApi } from './start-api.ts';

/** Starts the child process that speaks HTTP and owns the store. */
export function startHttpChild(options: ChildOptions): Promise<RunningChild> {
  const { config, link, tell } = options;
  return startInParts(options, async (parts) => {
    const nameserver = linkNameserver(link, config, createServiceMetrics(config), parts);
    const api = { ...options, metrics: nameserver.metrics };
    const { adminKey } = await startApi(api, nameserver, parts, (addresses) =>
      tell({ kind: 'serving', ...addresses }),
    );
    parts.complete();
    tell({ kind: 'ready', adminKey });
    return { stop: () => parts.stop() };
  });
}
