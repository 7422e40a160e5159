// Refusals, failed log-ins and exports on their way to the trail. They are merged and bounded here, and written once a second
// (`flushTrail`), so that a flood of requests costs no more than a count.
//
//   note ─▶ the same a moment ago?   counted in its entry
//             ├─ room for the actor      an entry of its own
//             ├─ room for the account    counted in one entry of the actor, without an object
//             ├─ room at all             counted in one entry of the account, without an actor
//             └─ none                    counted in one entry that operators see
import type { Clock, MonotonicClock } from '../base/clock.ts';
import { copyText } from '../base/copy-text.ts';
import { formatTrailDetail, isRefusal, trailOctets } from '../model/trail-entry.ts';
import { asStorableText } from '../model/storable-text.ts';
import type { UnnamedTrailEntry } from '../writes/command.ts';
import type { TrailNote } from '../writes/pending-trail.ts';

/** Repeats within so long are one entry, which is written at the end. The first of them is written at the next flush. */
export const MERGE_MS = 60_000;

/** A client that is refused for so many different things in a minute is broken or attacks; more entries tell nothing new. */
export const MAX_REFUSALS_PER_ACTOR = 60;

/** So many exports, and the like, in a minute: a backup of all domains. */
export const MAX_OTHERS_PER_ACTOR = 1000;

/** Two such backups at a time. */
export const MAX_NOTES_PER_ACCOUNT = 2000;

/** All accounts together; the store writes so many rows in a tenth of a second. */
export const MAX_NOTES = 10_000;

/** The memory of `MAX_NOTES` of ordinary length. */
const MAX_NOTED_OCTETS = 8 * 2 ** 20;

/** Clients choose the names of objects; the longest domain name is shorter. */
const MAX_OBJECT_CHARACTERS = 255;

/** The sender of a request, as far as it is known. */
export interface TrailSender {
  /** As `Author.keyId`; empty: nobody is known. */
  readonly keyId: string;
  readonly terms?: { readonly address?: string | undefined } | undefined;
}

/** A note whose account may be found later: null stands for each account of the user who is the object. */
export type UncommittedNote = Omit<TrailNote, 'accountId'> & {
  readonly accountId: string | null;
  /** Whose room the entry takes; absent: that of the account or user that it is about. */
  readonly sharerId?: string;
};

type Noted = Omit<UnnamedTrailEntry, 'atMs' | 'sinceMs' | 'count'> & { readonly sharer: string };

interface Slot {
  readonly noted: Noted;
  /** By the monotonic clock. */
  openedMs: number;
  isWritten: boolean;
  /** Those that have not been written yet. */
  count: number;
  sinceMs: number;
  atMs: number;
}

export class TrailBuffer {
  private readonly clock: Clock;
  private readonly monotonic: MonotonicClock;
  private readonly notesPerAccount: number;
  private readonly slots = new Map<string, Slot>();
  /** The number of slots by actor and by account. */
  private readonly counts = new Map<string, number>();
  private octets = 0;
  /** Entries that could not be written. */
  private returned: readonly UnnamedTrailEntry[] = [];

  /** @param notesPerAccount different ones in a minute */
  constructor(clock: Clock, monotonic: MonotonicClock, notesPerAccount = MAX_NOTES_PER_ACCOUNT) {
    this.notesPerAccount = notesPerAccount;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /** The entry is written within a second; it is lost if the process dies before. */
  note({ keyId, terms }: TrailSender, noted: UncommittedNote, times = 1): void {
    const { accountId, action, object, detail = {}, sharerId } = noted;
    const address = terms?.address ?? null;
    const about = {
      accountId,
      action,
      actor: keyId,
      address,
      object: copyText(asStorableText(object.slice(0, MAX_OBJECT_CHARACTERS))),
      detail: formatTrailDetail(detail),
      sharer: sharerId ?? accountId ?? object,
    };
    if (this.countIn(about, times)) return;
    const isSingle = this.hasRoom(about) && this.countOf(actorOf(about)) < mostOfActor(about);
    if (isSingle) this.open(about, times);
    else this.countAmongOthers(about, times);
  }

  /**
   * Returns the entries that are to be written now. Those that were given back come first, and alone.
   *
   * @param isLast the process stops, so that nothing waits for repeats
   */
  take(isLast = false): readonly UnnamedTrailEntry[] {
    const { returned } = this;
    this.returned = [];
    return returned.length > 0 ? returned : this.takeNoted(isLast);
  }

  /** Keeps entries that could not be written for the next time. */
  giveBack(entries: readonly UnnamedTrailEntry[]): void {
    this.returned = entries;
  }

  private takeNoted(isLast: boolean): readonly UnnamedTrailEntry[] {
    const nowMs = this.monotonic.elapsedMs();
    const taken: UnnamedTrailEntry[] = [];
    for (const [place, slot] of this.slots) {
      const isOver = nowMs - slot.openedMs >= MERGE_MS;
      if (slot.count > 0 && (isOver || isLast || !slot.isWritten)) {
        const { noted, count, sinceMs, atMs } = slot;
        taken.push({ ...entryOf(noted), count, sinceMs, atMs });
        slot.count = 0;
        slot.isWritten = true;
        if (isOver) slot.openedMs = nowMs;
      } else if (isOver) {
        this.close(place, slot.noted);
      }
    }
    return taken;
  }

  private countAmongOthers(about: Noted, times: number): void {
    const ofActor = { ...about, address: null, object: '', detail: OTHERS };
    if (this.countIn(ofActor, times)) return;
    if (this.hasRoom(about)) {
      this.open(ofActor, times);
      return;
    }
    const ofAccount = { ...ofActor, actor: '' };
    if (this.countIn(ofAccount, times)) return;
    // There are as many entries of the service as actions.
    const widest = this.isFull() ? { ...ofAccount, accountId: '', sharer: '' } : ofAccount;
    if (!this.countIn(widest, times)) this.open(widest, times);
  }

  private hasRoom(about: Noted): boolean {
    return !this.isFull() && this.countOf(about.sharer) < this.notesPerAccount;
  }

  private isFull(): boolean {
    return this.slots.size >= MAX_NOTES || this.octets >= MAX_NOTED_OCTETS;
  }

  private countIn(about: Noted, times: number): boolean {
    const slot = this.slots.get(placeOf(about));
    if (slot !== undefined) this.count(slot, times);
    return slot !== undefined;
  }

  private count(slot: Slot, times: number): void {
    slot.atMs = this.clock.nowMs();
    if (slot.count === 0) slot.sinceMs = slot.atMs;
    slot.count += times;
  }

  private open(noted: Noted, times: number): void {
    const atMs = this.clock.nowMs();
    const openedMs = this.monotonic.elapsedMs();
    this.slots.set(placeOf(noted), { noted, openedMs, isWritten: false, count: times, sinceMs: atMs, atMs });
    this.add(noted, 1);
  }

  private close(place: string, noted: Noted): void {
    this.slots.delete(place);
    this.add(noted, -1);
  }

  private add(noted: Noted, step: 1 | -1): void {
    this.octets +=
      step * trailOctets({ ...noted, accountId: noted.accountId ?? noted.sharer, actorName: '' });
    for (const key of [actorOf(noted), noted.sharer]) {
      const count = this.countOf(key) + step;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}

/** The detail of an entry for all that had no room: its object is empty. */
const OTHERS = formatTrailDetail({ others: true });

function mostOfActor({ action }: Noted): number {
  return isRefusal(action) ? MAX_REFUSALS_PER_ACTOR : MAX_OTHERS_PER_ACTOR;
}

function entryOf({ accountId, action, actor, address, object, detail }: Noted) {
  return { accountId, action, actor, address, object, detail };
}

/** Refusals and others are counted apart: none of them uses up the room of the other. */
function actorOf(about: Noted): string {
  return `${about.sharer} ${about.actor} ${isRefusal(about.action) ? 'refused' : 'done'}`;
}

/** Only entries that say the same are merged. No part but the object has a space, and its length is told. */
function placeOf({ accountId, actor, action, address, object, detail }: Noted): string {
  return `${accountId ?? 'each'} ${actor} ${action} ${address ?? ''} ${object.length} ${object}${detail ?? ''}`;
}
