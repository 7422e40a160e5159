import type { ZoneKey } from '../dnssec/zone-key.ts';
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

  created(): ZoneKeyWrite[] {
    if (this.current === undefined) return [];
    const before = new Set(this.committed?.map(({ id }) => id));
    const added = this.current.filter(({ id }) => !before.has(id));
    return added.map((key) => ({ domainId: this.domainId, key }));
  }

  deleted(): DeletedZoneKey[] {
    if (this.current === undefined) return [];
    const now = new Set(this.current.map(({ id }) => id));
    const removed = (this.committed ?? []).filter(({ id }) => !now.has(id));
    return removed.map(({ id }) => ({ domainId: this.domainId, id }));
  }
}
