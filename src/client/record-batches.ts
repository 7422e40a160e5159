export interface NewRecord {
  readonly type: string;
  /** Relative to the domain; `''` or `@` is the apex. */
  readonly name: string;
  /** Presentation form. */
  readonly data: string;
  /** Seconds. */
  readonly ttl?: number | undefined;
  readonly priority?: number | undefined;
}

/** What is left out stays as it is. */
export interface RecordPatch {
  readonly name?: string | undefined;
  readonly data?: string | undefined;
  readonly ttl?: number | undefined;
  readonly priority?: number | undefined;
}

/** Changes of one domain's records; what is left out is empty. */
export interface RecordChanges {
  /** Record ids. */
  readonly delete?: Iterable<string> | undefined;
  readonly update?: Iterable<RecordPatch & { readonly id: string }> | undefined;
  readonly create?: Iterable<NewRecord> | undefined;
}

/** The most that the service takes at once. */
const MAX_BATCH_CHANGES = 10_000;

/** In their order, deletes first; no list is held longer than one batch. */
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
