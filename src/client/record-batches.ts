export interface NewRecord {
  readonly type: string;
  /** Relative to the domain; `''` and `@` are the apex. */
  readonly name: string;
  /** In presentation format. */
  readonly data: string;
  /** Seconds. */
  readonly ttl?: number | undefined;
  readonly priority?: number | undefined;
}

/** Absent members keep their values. */
export interface RecordPatch {
  readonly name?: string | undefined;
  readonly data?: string | undefined;
  readonly ttl?: number | undefined;
  readonly priority?: number | undefined;
}

/** Changes of the records of one domain. */
export interface RecordChanges {
  /** Ids of records. */
  readonly delete?: Iterable<string> | undefined;
  readonly update?: Iterable<RecordPatch & { readonly id: string }> | undefined;
  readonly create?: Iterable<NewRecord> | undefined;
}

/** The largest batch that the service accepts. */
const MAX_BATCH_CHANGES = 10_000;

/** Keeps the order of changes: deletions, updates, creations. Holds at most one batch in memory. */
export function* cutIntoBatches(changes: RecordChanges): Generator<RecordChanges> {
  let batch = emptyBatch();
  let size = 0;
  for (const list of ['delete', 'update', 'create'] as const) {
    for (const change of changes[list] ?? []) {
      (batch[list] as unknown[]).push(change);
      if (++size < MAX_BATCH_CHANGES) continue;
      yield batch;
      batch = emptyBatch();
      size = 0;
    }
  }
  if (size > 0) yield batch;
}

function emptyBatch(): Record<'delete' | 'update' | 'create', never[]> {
  return { delete: [], update: [], create: [] };
}
