import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { showProgress, type Progress } from '../cli/terminal/show-progress.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { openBackup, openBackupTarget } from '../migration/sqlite-migration-backup.ts';
import { StoreOpenError } from '../store/store.ts';
import { backupStore } from '../migration/backup-store.ts';
import type { TransferProgress, TransferWatch } from '../migration/copy-content.ts';
import { moveStore } from '../migration/move-store.ts';
import { restoreStore } from '../migration/restore-store.ts';
import { openSource, openTarget } from '../migration/open-place.ts';
import type { StorePlace } from '../migration/store-place.ts';
import { TransferError, type ContentSummary } from '../migration/migration-ends.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** What was done, for people and as JSON. */
export interface TransferResult {
  readonly outcome: 'moved' | 'equal' | 'backed_up' | 'restored';
  readonly from: string;
  readonly to: string;
  readonly content: ContentSummary;
  readonly seconds: number;
}

type Ends = Pick<TransferResult, 'outcome' | 'from' | 'to' | 'content'>;

/** @throws CommandFailure with one sentence; then the target is as it was. */
export function runMove(from: StorePlace, to: StorePlace, terminal: Terminal): Promise<TransferResult> {
  return runTransfer(terminal, async (watch, open) => {
    const source = await open(openSource(from, 'alone'));
    const target = await open(openTarget(to, Date.now()));
    const { outcome, content } = await moveStore(source, target, watch);
    return { outcome, from: source.place, to: target.place, content };
  });
}

/** @throws CommandFailure with one sentence; then there is no file. */
export function runBackup(from: StorePlace, path: string, terminal: Terminal): Promise<TransferResult> {
  return runTransfer(terminal, async (watch, open) => {
    // Before the store is looked at: nothing of it is older than the backup says.
    const takenAtMs = Date.now();
    const backup = await open(openBackupTarget(path, takenAtMs));
    const source = await open(openSource(from, 'shared'));
    const content = await backupStore(source, backup, watch);
    return { outcome: 'backed_up', from: source.place, to: path, content };
  });
}

/** @throws CommandFailure with one sentence; then the target is as it was. */
export function runRestore(path: string, to: StorePlace, terminal: Terminal): Promise<TransferResult> {
  return runTransfer(terminal, async (watch, open) => {
    const nowMs = Date.now();
    const backup = await open(openBackup(path));
    const target = await open(openTarget(to, nowMs));
    const content = await restoreStore(backup, target, nowMs, watch);
    return { outcome: 'restored', from: path, to: target.place, content };
  });
}

interface Closable {
  close(): void | Promise<void>;
}

/** What `open` was given is closed at the end, last opened first. */
type Open = <T extends Closable>(opening: T | Promise<T>) => Promise<T>;

async function runTransfer(
  terminal: Terminal,
  transfer: (watch: TransferWatch, open: Open) => Promise<Ends>,
): Promise<TransferResult> {
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
  const progress = showTransfer(terminal);
  try {
    const ends = await transfer({ progress, stopping: stopping.signal }, open);
    return { ...ends, seconds: (performance.now() - startMs) / 1000 };
  } catch (error) {
    throw explained(error);
  } finally {
    progress.finish();
    for (const part of opened) await part.close();
    for (const signal of signals) process.off(signal, stop);
  }
}

/** One line for each phase. */
function showTransfer(terminal: Terminal): TransferProgress & Pick<Progress, 'finish'> {
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
  if (error instanceof TransferError || error instanceof StoreOpenError) {
    return new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    return new CommandFailure(exitCodes.unreachable, error.message, { cause: error });
  }
  return error;
}
