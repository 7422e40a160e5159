import { ContentHash } from './content-hash.ts';
import {
  TransferError,
  type ContentSummary,
  type TransferSource,
  type TransferTarget,
} from './migration-ends.ts';
import { transferTables } from './migration-tables.ts';

/** Told of every slice. */
export interface TransferProgress {
  start(phase: 'checking' | 'copying' | 'comparing', totalRows: number): void;
  advance(rows: number): void;
}

export interface TransferWatch {
  readonly progress: TransferProgress;
  /** Aborted: the transfer ends after the slice it is in, and leaves nothing behind. */
  readonly stopping: AbortSignal;
}

/**
 * Copies everything, reads it back from the target and compares. Nothing is committed yet.
 *
 * @param onRead when nothing more is wanted from the source.
 * @throws TransferError when the target does not hold what the source held.
 */
export async function copyContent(
  source: TransferSource,
  target: TransferTarget,
  watch: TransferWatch,
  onRead?: () => void | Promise<void>,
): Promise<ContentSummary> {
  const copied = await passContent(source, 'copying', watch, (table, rows) => target.insert(table, rows));
  await onRead?.();
  const written = await summarise(target.written, 'comparing', watch);
  const difference = describeDifference(copied, written);
  if (difference === undefined) return copied;
  throw new TransferError(`${target.place} does not hold what was written to it: ${difference}`);
}

export function summarise(
  source: TransferSource,
  phase: 'checking' | 'comparing',
  watch: TransferWatch,
): Promise<ContentSummary> {
  return passContent(source, phase, watch, () => undefined);
}

/** Undefined when both hold the same. */
export function describeDifference(a: ContentSummary, b: ContentSummary): string | undefined {
  if (a.hash === b.hash) return undefined;
  for (const [table, rows] of Object.entries(a.rows)) {
    if (rows !== b.rows[table]) return `${rows} rows of ${table} on one side, ${b.rows[table]} on the other`;
  }
  return 'as many rows in every table, but not the same ones';
}

async function passContent(
  source: TransferSource,
  phase: Parameters<TransferProgress['start']>[0],
  { progress, stopping }: TransferWatch,
  pass: TransferTarget['insert'],
): Promise<ContentSummary> {
  const counts = [];
  for (const table of transferTables) counts.push(await source.rowCount(table));
  progress.start(
    phase,
    counts.reduce((sum, count) => sum + count, 0),
  );
  const hash = new ContentHash();
  const rows: Record<string, number> = {};
  for (const table of transferTables) {
    hash.startTable(table);
    let count = 0;
    for await (const slice of source.slices(table)) {
      if (stopping.aborted) throw new TransferError('broken off, nothing was changed');
      hash.add(slice);
      await pass(table, slice);
      count += slice.length;
      progress.advance(slice.length);
    }
    rows[table.name] = count;
  }
  return { rows, hash: hash.finish() };
}
