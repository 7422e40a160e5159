import { mergeExpositions } from '../metrics/merge-expositions.ts';
import type { ServedWrites } from '../store/after-commit.ts';
import type { ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';
import type { PartsState } from './create-readiness.ts';
import type { FollowedCopy, ServedZones } from './find-problems.ts';
import { LinkClient } from './link-client.ts';
import { wakePathOf } from './link-messages.ts';
import type { RunningParts } from './running-parts.ts';
import { ServedGate, type NameserverCondition } from './served-gate.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** The nameserver process beside this one, as seen from the process that speaks HTTP. */
export interface LinkedNameserver {
  readonly served: ServedWrites;
  /** The metrics of both processes. */
  readonly metrics: ServiceMetrics;
  condition(): NameserverCondition;
  /** Its zone copy; undefined with the embedded store. */
  readonly copy: FollowedCopy | undefined;
  readonly zones: ServedZones;
  /** The addresses at which it listens; empty while they are not known. */
  addresses(): readonly ListenAddress[];
  parts(): Pick<PartsState, 'copy' | 'dnsThreads'>;
}

export function linkNameserver(
  path: string,
  { database }: Config,
  metrics: ServiceMetrics,
  parts: RunningParts,
): LinkedNameserver {
  const link = new LinkClient(path);
  parts.add(() => link.close());
  const wakePath = database.kind === 'sqlite' ? wakePathOf(path) : undefined;
  const gate = new ServedGate(link, wakePath);
  parts.add(() => gate.close());
  const copy = database.kind === 'sqlite' ? undefined : { state: () => link.state ?? unknownCopy };
  return {
    served: gate,
    metrics: {
      ...metrics,
      render: async () => mergeExpositions(await metrics.render(), (await link.askMetrics()) ?? ''),
    },
    condition: () => gate.condition,
    copy,
    zones: { state: () => link.state },
    addresses: () => link.state?.addresses ?? [],
    parts: () => ({
      copy: copy?.state(),
      dnsThreads: link.state,
    }),
  };
}

const unknownCopy = { phase: 'away', seq: 0, feedSeq: null, lagMs: null } as const;
