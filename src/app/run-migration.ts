import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { showProgress, type Progress } from '../cli/terminal/show-progress.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { openBackup, openBackupTarget } from '../migration/backup-file.ts';
import { StoreOpenError } from '../store/store.ts';
import { backupStore } from '../migration/backup-store.ts';
import type { MigrationProgress, CopyOptions } from '../migration/copy-content.ts';
import { moveStore } from '../migration/move-store.ts';
import { restoreStore } from '../migration/restore-store.ts';
import { openSource, openTarget } from '../migration/open-place.ts';
import type { StorePlace } from '../migration/store-place.ts';
import { MigrationError, type ContentSummary } from '../migration/store-content.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** Printed as text or JSON. */
export interface MigrationResult {
  readonly outcome: 'moved' | 'equal' | 'backed_up' | 'restored';
  readonly from: string;
  readonly to: string;
  readonly content: ContentSummary;
  readonly seconds: number;
}

type Ends = Pick<MigrationResult, 'outcome' | 'from' | 'to' | 'content'>;

/** @throws CommandFailure with one sentence; the target is then unchanged */
export function runMove(from: StorePlace, to: StorePlace, terminal: Terminal): Promise<MigrationResult> {
  return runMigration(terminal, async (options, open) => {
    const source = await open(openSource(from, 'alone'));
    const target = await open(openTarget(to, Date.now()));
    const { outcome, content } = await moveStore(source, target, options);
    return { outcome, from: source.place, to: target.place, content };
  });
}

/** @throws CommandFailure with one sentence; no file is then left */
export function runBackup(from: StorePlace, path: string, terminal: Terminal): Promise<MigrationResult> {
  return runMigration(terminal, async (options, open) => {
    // Taken before the store is read, so that the content is never older than this time.
    const takenAtMs = Date.now();
    const backup = await open(openBackupTarget(path, takenAtMs));
    const source = await open(openSource(from, 'shared'));
    const content = await backupStore(source, backup, options);
    return { outcome: 'backed_up', from: source.place, to: path, content };
  });
}

/** @throws CommandFailure with one sentence; the target is then unchanged */
export function runRestore(path: string, to: StorePlace, terminal: Terminal): Promise<MigrationResult> {
  return runMigration(terminal, async (options, open) => {
    const nowMs = Date.now();
    const backup = await open(openBackup(path));
    const target = await open(openTarget(to, nowMs));
    const content = await restoreStore(backup, target, nowMs, options);
    return { outcome: 'restored', from: path, to: target.place, content };
  });
}

interface Closable {
  close(): void | Promise<void>;
}

/** Everything passed to `open` is closed at the end, last opened first. */
type Open = <T extends Closable>(opening: T | Promise<T>) => Promise<T>;

async function runMigration(
  terminal: Terminal,
  migrate: (options: CopyOptions, open: Open) => Promise<Ends>,
): Promise<MigrationResult> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const opened: Closable[] = [];
  const open: Open = async (opening) => {
    const part = await opening;
    opened.unshift(part);
    return part;
  };
  const startMs = performance.now();
  const progress = reportProgress(terminal);
  try {
    const ends = await migrate({ progress, signal: stopping.signal }, open);
    return { ...ends, seconds: (performance.now() - startMs) / 1000 };
  } catch (error) {
    throw explained(error);
  } finally {
    progress.finish();
    for (const part of opened) await part.close();
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Shows one line for each phase. */
function reportProgress(terminal: Terminal): MigrationProgress & Pick<Progress, 'finish'> {
  let shown: Progress | undefined;
  const finish = (): void => shown?.finish();
  return {
    start(phase, total) {
      finish();
      shown = showProgress(terminal, { phase, total, unit: 'rows' }, () => performance.now());
    },
    advance: (rows) => shown?.advance(rows),
    finish,
  };
}

function explained(error: unknown): unknown {
  if (error instanceof MigrationError || error instanceof StoreOpenError) {
    return new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    return new CommandFailure(exitCodes.unreachable, error.message, { cause: error });
  }
  return error;
}
