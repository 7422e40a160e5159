import { seededRandom } from '../harness/random.ts';
import { runDomainWriter, runSharedWriter, type SharedRecords } from './domain-writer.ts';
import { runRecordWriter, type Target, type WriterContext, type Written } from './record-writer.ts';

/*
 * Sixteen concurrent writers: twelve write records of their own, three create the same ones, and one creates and
 * deletes domains.
 */

export const WRITERS = 16;
const SHARED_WRITERS = 3;
/** The writers of shared records and the one of domains. */
const OTHER_WRITERS = SHARED_WRITERS + 1;

/** All acknowledged writes. */
export interface Acknowledged extends Written {
  readonly shared: SharedRecords;
  /** Maps each name to whether it must exist. */
  readonly churned: ReadonlyMap<string, boolean>;
  /** Number of acknowledged writes. */
  readonly total: number;
}

export interface Writers {
  /** Resolves when every writer has its last answer. */
  stop(): Promise<Acknowledged>;
}

export function startWriters(options: {
  readonly target: Target;
  readonly domains: readonly string[];
  readonly seed: number;
  readonly faults: string[];
  /** Smaller if the test has other writers too. */
  readonly writers?: number;
}): Writers {
  const { seed, writers = WRITERS } = options;
  let stopping = false;
  const context = (writer: number): WriterContext => ({
    ...options,
    writer,
    random: seededRandom(seed + writer + 1),
    stopped: () => stopping,
  });
  const shared: SharedRecords = new Map();
  const recordWriters = Array.from({ length: writers - OTHER_WRITERS }, (_, i) =>
    runRecordWriter(context(i)),
  );
  const sharedWriters = Array.from({ length: SHARED_WRITERS }, (_, i) =>
    runSharedWriter(context(20 + i), shared),
  );
  const domainWriter = runDomainWriter(context(30));
  const all = Promise.all([Promise.all(recordWriters), Promise.all(sharedWriters), domainWriter] as const);
  // stop() reports a failed writer; before that, its rejection must not end the test run.
  all.catch(() => undefined);
  return {
    stop: async () => {
      stopping = true;
      const [results, sharedAnswers, { domains: churned, acknowledged }] = await all;
      const answers = [...results.map((result) => result.acknowledged), ...sharedAnswers, acknowledged];
      return {
        saved: new Map(results.flatMap((result) => [...result.saved])),
        touched: new Set(results.flatMap((result) => [...result.touched])),
        shared,
        churned,
        total: answers.reduce((sum, count) => sum + count, 0),
      };
    },
  };
}
