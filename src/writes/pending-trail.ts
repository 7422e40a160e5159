import type { ApiKey } from '../model/account.ts';
import {
  formatTrailDetail,
  userOfActor,
  trailOctets,
  type TrailAction,
  type TrailDetail,
  type TrailEntry,
} from '../model/trail-entry.ts';
import type { Author } from './author.ts';
import type { TrailUsageStep } from './batch-writes.ts';
import type { PendingPeople } from './pending-people.ts';
import type { UndoLog } from './undo-log.ts';

/** A command tells what it does. Who does it, when and from where is known from its author. */
export interface TrailNote {
  /** The account that sees it; empty: only operators do. */
  readonly accountId: string;
  readonly action: TrailAction;
  /** An id, or the name of a domain. */
  readonly object: string;
  readonly detail?: TrailDetail;
}

/** A person or key that is not the author of the command. */
export interface TrailActor {
  readonly id: string;
  readonly name: string;
}

/** The part of a batch that knows the author of the current command. */
interface BatchOfAuthor {
  readonly rights: { readonly author: Author | null };
  readonly people: Pick<PendingPeople, 'findOne'>;
  findKey(id: string): ApiKey | undefined;
}

/** The entries that a batch adds to the trail. */
export class PendingTrail {
  private readonly entries: TrailEntry[] = [];
  private readonly batch: BatchOfAuthor;
  private readonly undoLog: UndoLog;

  constructor(batch: BatchOfAuthor, undoLog: UndoLog) {
    this.batch = batch;
    this.undoLog = undoLog;
  }

  /**
   * Adds what the current command does. Call it only if the command changes something, and before it removes a key or a user,
   * whose names are then unknown. A command without an author leaves nothing: only housekeeping of the service has none.
   *
   * @param actor undefined: the author of the command
   */
  note({ accountId, action, object, detail = {} }: TrailNote, actor?: TrailActor): void {
    const { author } = this.batch.rights;
    if (author === null) return;
    this.add({
      accountId,
      atMs: author.atMs,
      action,
      actor: actor?.id ?? author.keyId,
      actorName: actor?.name ?? this.nameOf(author.keyId),
      address: author.address ?? null,
      object,
      detail: formatTrailDetail(detail),
      count: 1,
      sinceMs: author.atMs,
    });
  }

  /** Notes what the current command leads to in an account that must not learn who its author is. */
  noteByService({ accountId, action, object, detail = {} }: TrailNote): void {
    const { author } = this.batch.rights;
    const atMs = author?.atMs ?? 0;
    const nobody = { actor: '', actorName: '', address: null };
    const about = { accountId, atMs, action, object, detail: formatTrailDetail(detail) };
    this.add({ ...nobody, ...about, count: 1, sinceMs: atMs });
  }

  add(entry: TrailEntry): void {
    this.undoLog.append(this.entries, entry);
  }

  writes(): readonly TrailEntry[] {
    return this.entries;
  }

  /**
   * The name as it is now; empty for what does not exist any more.
   *
   * @param actor as `Author.keyId`
   */
  nameOf(actor: string): string {
    const userId = userOfActor(actor);
    if (userId !== undefined) return this.batch.people.findOne('users', 'id', userId)?.email ?? '';
    return actor === '' ? '' : (this.batch.findKey(actor)?.label ?? '');
  }
}

/** The octets that entries add to each account and action, in this order: all changes of several rows are made in it. */
export function trailUsageOf(entries: readonly TrailEntry[]): readonly TrailUsageStep[] {
  const steps = new Map<string, { accountId: string; action: string; octets: number }>();
  for (const entry of entries) {
    const { accountId, action } = entry;
    const place = `${accountId} ${action}`;
    const before = steps.get(place)?.octets ?? 0;
    steps.set(place, { accountId, action, octets: before + trailOctets(entry) });
  }
  return [...steps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step);
}
