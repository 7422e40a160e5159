import { existsSync, rmSync, statSync } from 'node:fs';
import type { ContentSummary, TransferSource, TransferTarget } from './migration-ends.ts';
import type { TransferRow, TransferTable } from './migration-tables.ts';
import { lockFolder, partPath, storePath } from '../store/sqlite/open-store-files.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { StoreFileWriter } from './sqlite-migration-file.ts';
import { closeSnapshot } from '../store/sqlite/close-snapshot.ts';
import { openStoreForReading } from '../store/sqlite/open-store-for-reading.ts';
import { OLDEST_READABLE_VERSION, readTables } from './sqlite-migration-source.ts';

/**
 * A data folder that shall get a store, locked against services until it is closed.
 *
 * @throws StoreOpenError when it is in use, or what is there cannot be read.
 */
export function openSqliteTarget(folder: string, nowMs: number): TransferTarget {
  const path = storePath(folder);
  const lock = lockFolder(folder);
  try {
    return new FileTarget({
      place: `sqlite:${folder}`,
      // A file without content is what is left of a first start that was broken off at once.
      existing:
        existsSync(path) && statSync(path).size > 0
          ? openStoreForReading(path, OLDEST_READABLE_VERSION)
          : null,
      create: () => {
        // The folder is ours alone: what lies there was broken off.
        rmSync(partPath(path), { force: true });
        return new StoreFileWriter(path, nowMs);
      },
      release: () => lock.release(),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface FileTargetParts {
  readonly place: string;
  readonly existing: SqliteDatabase | null;
  readonly create: () => StoreFileWriter;
  readonly beforeCommit?: (file: StoreFileWriter, content: ContentSummary) => void;
  readonly release?: () => void;
}

export class FileTarget implements TransferTarget {
  readonly place: string;
  readonly existing: TransferSource | null;
  private readonly parts: FileTargetParts;
  private file: StoreFileWriter | undefined;

  constructor(parts: FileTargetParts) {
    this.place = parts.place;
    this.existing = parts.existing === null ? null : readTables(parts.existing, parts.place);
    this.parts = parts;
  }

  get written(): TransferSource {
    return this.begunFile().written;
  }

  begin(): void {
    this.closeExisting();
    this.file = this.parts.create();
  }

  insert(table: TransferTable, rows: readonly TransferRow[]): void {
    this.begunFile().insert(table, rows);
  }

  commit(content: ContentSummary): void {
    this.parts.beforeCommit?.(this.begunFile(), content);
    this.begunFile().finish();
  }

  close(): void {
    if (this.file === undefined) this.closeExisting();
    this.file?.abandon();
    this.parts.release?.();
  }

  private closeExisting(): void {
    if (this.parts.existing !== null) closeSnapshot(this.parts.existing);
  }

  private begunFile(): StoreFileWriter {
    if (this.file === undefined) throw new Error('a transfer begins before its first row');
    return this.file;
  }
}
