import { hasUse, keyUse, type ZoneKey } from '../dnssec/zone-key.ts';
import type { DeletedZoneKey, ZoneKeyWrite } from './batch-writes.ts';
import type { RowReader } from './row-reader.ts';
import type { UndoLog } from './undo-log.ts';

/** The keys of one domain in a batch, loaded on first use. */
export class PendingKeys {
  private readonly domainId: number;
  private readonly rows: RowReader;
  private readonly undoLog: UndoLog;
  private committed: readonly ZoneKey[] | undefined;
  private current: readonly ZoneKey[] | undefined;

  /** @param isNew whether the domain has no committed rows */
  constructor(domainId: number, rows: RowReader, undoLog: UndoLog, isNew: boolean) {
    this.domainId = domainId;
    this.rows = rows;
    this.undoLog = undoLog;
    if (isNew) this.committed = [];
  }

  /** The oldest first. */
  all(): readonly ZoneKey[] {
    this.committed ??= [...this.rows.zoneKeys(this.domainId)].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.current ?? this.committed;
  }

  set(keys: readonly ZoneKey[]): void {
    this.all();
    const before = this.current;
    this.current = keys;
    this.undoLog.add(() => (this.current = before));
  }

  /** Whether the batch adds or removes keys, or changes their uses. */
  isChanged(): boolean {
    return this.created().length > 0 || this.deleted().length > 0;
  }

  /** Whether signatures of other keys are needed, except those of the sets of keys. */
  areZoneSignersChanged(): boolean {
    if (this.current === undefined) return false;
    return zoneSigners(this.current) !== zoneSigners(this.committed ?? []);
  }

  /** New keys, and changed ones. */
  created(): ZoneKeyWrite[] {
    const { current, committed = [], domainId } = this;
    if (current === undefined) return [];
    return current.filter((key) => !committed.includes(key)).map((key) => ({ domainId, key }));
  }

  /** Removed keys, and changed ones, whose rows are written again. */
  deleted(): DeletedZoneKey[] {
    const { current, committed = [], domainId } = this;
    if (current === undefined) return [];
    return committed.filter((key) => !current.includes(key)).map(({ id }) => ({ domainId, id }));
  }
}

function zoneSigners(keys: readonly ZoneKey[]): string {
  return keys
    .filter((key) => hasUse(key, keyUse.SIGNS_ZONE))
    .map(({ id }) => id)
    .join();
}
