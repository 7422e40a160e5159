import { Counter, Histogram, type Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

/** Told by the store. */
export interface StoreObserver {
  /** A batch of so many commands has become durable. */
  batchCommitted(commands: number, commitMs: number): void;
  /** What became of a command, for the one who gave it. */
  commandEnded(kind: string, outcome: string): void;
  /** A batch that failed for a passing reason is run again. */
  batchRetried(): void;
}

/** A batch takes 256 commands at most. */
const BATCH_BUCKETS_COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** From an fsync of a good disk to a failover of the database. */
const COMMIT_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function observeStore(registry: Registry): StoreObserver {
  const batchCommands = new Histogram({
    name: 'zonewright_store_batch_commands',
    help: 'Commands that were committed together.',
    buckets: BATCH_BUCKETS_COMMANDS,
    registers: [registry],
  });
  const commitDurations = new Histogram({
    name: 'zonewright_store_commit_duration_seconds',
    help: 'How long batches took from being taken up to being durable.',
    buckets: COMMIT_BUCKETS_SECONDS,
    registers: [registry],
  });
  const commands = new Counter({
    name: 'zonewright_store_commands_total',
    help: 'Commands, by what became of them.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'zonewright_store_retries_total',
    help: 'Batches that were run again after a passing failure of the database.',
    registers: [registry],
  });
  return {
    batchCommitted: (count, commitMs) => {
      batchCommands.observe(count);
      commitDurations.observe(commitMs / 1000);
    },
    commandEnded: (kind, outcome) => commands.inc({ kind, outcome }),
    batchRetried: () => retries.inc(),
  };
}

/** @param read commands that wait for their batch to be committed */
export function watchStoreQueue(registry: Registry, read: () => number): void {
  watchGauge(registry, {
    name: 'zonewright_store_queued_commands',
    help: 'Commands that wait to be committed, those under way included.',
    read: () => oneSample(read()),
  });
}

/** @param read reads that the database has not answered yet */
export function watchStoreReads(registry: Registry, read: () => number): void {
  watchGauge(registry, {
    name: 'zonewright_store_pending_reads',
    help: 'Reads that PostgreSQL has not answered yet.',
    read: () => oneSample(read()),
  });
}
