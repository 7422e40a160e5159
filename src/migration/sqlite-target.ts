import { existsSync, rmSync, statSync } from 'node:fs';
import type { ContentSummary, StoreContent, MigrationTarget } from './store-content.ts';
import type { Row, StoreTable } from './store-tables.ts';
import { lockFolder, partPath, storePath } from '../store/sqlite/open-store-files.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { StoreFileWriter } from './store-file-writer.ts';
import { closeSnapshot } from '../store/sqlite/close-snapshot.ts';
import { openStoreForReading } from '../store/sqlite/open-store-for-reading.ts';
import { OLDEST_READABLE_VERSION, readTables } from './sqlite-source.ts';

/**
 * Opens a data folder that is to receive a store, locked against services until the target is closed.
 *
 * @throws StoreOpenError if the folder is in use or its store cannot be read
 */
export function openSqliteTarget(folder: string, nowMs: number): MigrationTarget {
  const path = storePath(folder);
  const lock = lockFolder(folder);
  try {
    return new FileTarget({
      place: `sqlite:${folder}`,
      // A first start that was interrupted leaves an empty file.
      existing:
        existsSync(path) && statSync(path).size > 0
          ? openStoreForReading(path, OLDEST_READABLE_VERSION)
          : null,
      create: () => {
        // The folder is locked, so this is left over from an interrupted migration.
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

export class FileTarget implements MigrationTarget {
  readonly place: string;
  readonly existing: StoreContent | null;
  private readonly parts: FileTargetParts;
  private file: StoreFileWriter | undefined;

  constructor(parts: FileTargetParts) {
    this.place = parts.place;
    this.existing = parts.existing === null ? null : readTables(parts.existing, parts.place);
    this.parts = parts;
  }

  get written(): StoreContent {
    return this.begunFile().written;
  }

  begin(): void {
    this.closeExisting();
    this.file = this.parts.create();
  }

  insert(table: StoreTable, rows: readonly Row[]): void {
    this.begunFile().insert(table, rows);
  }

  commit(content: ContentSummary): void {
    this.begunFile().fillUsage();
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
    if (this.file === undefined) throw new Error('begin() must be called first');
    return this.file;
  }
}
