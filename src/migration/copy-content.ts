import { ContentHash } from './content-hash.ts';
import {
  MigrationError,
  type ContentSummary,
  type StoreContent,
  type MigrationTarget,
} from './store-content.ts';
import { storeTables } from './store-tables.ts';

/** Receives a call for every slice. */
export interface MigrationProgress {
  start(phase: 'checking' | 'copying' | 'comparing', totalRows: number): void;
  advance(rows: number): void;
}

export interface CopyOptions {
  readonly progress: MigrationProgress;
  /** If aborted, copying ends after the current slice and leaves nothing behind. */
  readonly signal: AbortSignal;
}

/**
 * Copies all rows, reads them back from the target and compares them. Commits nothing.
 *
 * @param onRead called when the source has been read completely
 * @throws MigrationError if the target does not hold the rows of the source
 */
export async function copyContent(
  source: StoreContent,
  target: MigrationTarget,
  options: CopyOptions,
  onRead?: () => void | Promise<void>,
): Promise<ContentSummary> {
  const copied = await passContent(source, 'copying', options, (table, rows) => target.insert(table, rows));
  await onRead?.();
  const written = await summarise(target.written, 'comparing', options);
  const difference = describeDifference(copied, written);
  if (difference === undefined) return copied;
  throw new MigrationError(`${target.place} differs from what was written to it: ${difference}`);
}

export function summarise(
  source: StoreContent,
  phase: 'checking' | 'comparing',
  options: CopyOptions,
): Promise<ContentSummary> {
  return passContent(source, phase, options, () => undefined);
}

/** Returns undefined if both contents are equal. */
export function describeDifference(a: ContentSummary, b: ContentSummary): string | undefined {
  if (a.hash === b.hash) return undefined;
  for (const [table, rows] of Object.entries(a.rows)) {
    if (rows !== b.rows[table]) return `${rows} rows of ${table} in one, ${b.rows[table]} in the other`;
  }
  return 'every table has the same number of rows, but their content differs';
}

async function passContent(
  source: StoreContent,
  phase: Parameters<MigrationProgress['start']>[0],
  { progress, signal }: CopyOptions,
  pass: MigrationTarget['insert'],
): Promise<ContentSummary> {
  const counts = [];
  for (const table of storeTables) counts.push(await source.rowCount(table));
  progress.start(
    phase,
    counts.reduce((sum, count) => sum + count, 0),
  );
  const hash = new ContentHash();
  const rows: Record<string, number> = {};
  for (const [index, table] of storeTables.entries()) {
    if (!table.isLater || counts[index] > 0) hash.startTable(table);
    let count = 0;
    for await (const slice of source.slices(table)) {
      if (signal.aborted) throw new MigrationError('interrupted, nothing was changed');
      hash.add(slice);
      await pass(table, slice);
      count += slice.length;
      progress.advance(slice.length);
    }
    rows[table.name] = count;
  }
  return { rows, hash: hash.finish() };
}
