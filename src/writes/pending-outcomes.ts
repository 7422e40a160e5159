import { IDEMPOTENCY_HOURS } from '../model/write-limits.ts';
import type { Author, CommandSuccess } from './command.ts';
import { keepOutcome, type KeptOutcome } from './kept-outcome.ts';
import type { PendingUsage } from './pending-usage.ts';
import type { RowReader } from './row-reader.ts';
import type { UndoLog } from './undo-log.ts';

const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** The outcomes that are kept for repeated requests: committed ones, and those that the batch adds. */
export class PendingOutcomes {
  /** The length of all outcomes that were encoded, a measure of their cost. */
  characters = 0;
  /** By API key and idempotency key. */
  private readonly added = new Map<string, KeptOutcome>();
  private readonly rows: RowReader;
  private readonly usage: PendingUsage;
  private readonly undoLog: UndoLog;

  constructor(rows: RowReader, usage: PendingUsage, undoLog: UndoLog) {
    this.rows = rows;
    this.usage = usage;
    this.undoLog = undoLog;
  }

  /** Finds the outcome of the author's earlier request with the same key; undefined if there is none or it has expired. */
  find({ keyId, idempotency, atMs }: Author): KeptOutcome | undefined {
    if (idempotency === undefined) return undefined;
    const kept =
      this.added.get(placeOf(keyId, idempotency.key)) ?? this.rows.findKeptOutcome(keyId, idempotency.key);
    return kept !== undefined && kept.atMs > atMs - IDEMPOTENCY_MS ? kept : undefined;
  }

  /** Keeps the outcome for a repeat of the author's request; does nothing for an author without an idempotency key. */
  keep(author: Author, outcome: CommandSuccess): void {
    const kept = keepOutcome(author, outcome);
    if (kept === undefined) return;
    const place = placeOf(kept.keyId, kept.key);
    // An expired outcome that upkeep has not removed yet is replaced.
    const replaced = this.added.get(place) ?? this.rows.findKeptOutcome(kept.keyId, kept.key);
    if (typeof replaced?.accountId === 'string')
      this.usage.add(replaced.accountId, 'outcomeOctets', -replaced.octets);
    this.usage.add(author.accountId, 'outcomeOctets', kept.octets);
    this.undoLog.setEntry(this.added, place, kept);
    this.characters += kept.outcome.length;
  }

  /** Replaces an outcome that this batch added. */
  amend(author: Author, outcome: CommandSuccess): void {
    const { keyId, idempotency } = author;
    if (idempotency === undefined || !this.added.has(placeOf(keyId, idempotency.key))) return;
    this.keep(author, outcome);
  }

  writes(): KeptOutcome[] {
    return [...this.added.values()];
  }
}

/** Neither of the two contains a space. */
function placeOf(keyId: string, idempotencyKey: string): string {
  return `${keyId} ${idempotencyKey}`;
}
