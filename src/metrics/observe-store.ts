import { Counter, Histogram, type Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

/** Events that the store reports. */
export interface StoreObserver {
  /** A batch of this many commands has become durable. */
  batchCommitted(commands: number, commitMs: number): void;
  /** The outcome of a command, as its sender receives it. */
  commandEnded(kind: string, outcome: string): void;
  /** A batch is retried after a transient failure. */
  batchRetried(): void;
}

/** A batch has at most 256 commands. */
const batchBucketsCommands = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** From an fsync on a fast disk to a failover of the database. */
const commitBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function observeStore(registry: Registry): StoreObserver {
  const batchCommands = new Histogram({
    name: 'zonewright_store_batch_commands',
    help: 'Commands per committed batch.',
    buckets: batchBucketsCommands,
    registers: [registry],
  });
  const commitDurations = new Histogram({
    name: 'zonewright_store_commit_duration_seconds',
    help: 'Time from the start of a batch until it is durable.',
    buckets: commitBucketsSeconds,
    registers: [registry],
  });
  const commands = new Counter({
    name: 'zonewright_store_commands_total',
    help: 'Commands by outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'zonewright_store_retries_total',
    help: 'Batches retried after a transient failure of the database.',
    registers: [registry],
  });
  return {
    batchCommitted: (count, commitMs) => {
      batchCommands.observe(count);
      commitDurations.observe(commitMs / 1000);
    },
    commandEnded: (kind, outcome) => commands.inc({ kind: labelOf(kind), outcome }),
    batchRetried: () => retries.inc(),
  };
}

/** The label of `importZone` keeps the command's former name, so that existing dashboards and alert rules still match. */
function labelOf(kind: string): string {
  return kind === 'importZone' ? 'declareRecords' : kind;
}

/** @param read returns the number of commands waiting for their commit */
export function watchStoreQueue(registry: Registry, read: () => number): void {
  watchGauge(registry, {
    name: 'zonewright_store_queued_commands',
    help: 'Commands waiting for their commit, including the running batch.',
    read: () => oneSample(read()),
  });
}

/** @param read returns the number of reads that the database has not answered yet */
export function watchStoreReads(registry: Registry, read: () => number): void {
  watchGauge(registry, {
    name: 'zonewright_store_pending_reads',
    help: 'Reads that PostgreSQL has not answered yet.',
    read: () => oneSample(read()),
  });
}
