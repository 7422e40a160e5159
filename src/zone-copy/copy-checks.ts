// Checks that the copy holds what was written to it, on the follower's thread between two looks at the feed:
//
//   all names and rows of domains ─▶ their digest ─▶ the records of each zone ─▶ again
//
// The first round of a copy that was not closed in order runs at full speed, because nothing of the copy is proven before its
// end. Later rounds keep the pace of background checks (`CheckPace`).
import type { Log } from '../base/log.ts';
import type { Steps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import { CheckPace } from '../store/sqlite/check-pace.ts';
import { checkZones } from '../store/sqlite/check-zones.ts';
import type { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import type { CopiedZones } from './copied-zones.ts';

/** Longest delay of a change by a slice. */
const SLICE_MS = 5;

/** Rows of domains in a step: some 2 ms. */
const DOMAINS_AT_ONCE = 300;

/** Damaged zones that are logged by name in one run; more are only counted. */
const MAX_LOGGED_ZONES = 100;

export interface CopyChecksOptions {
  /** On the connection that writes. */
  readonly copied: CopiedZones;
  /** On connections of their own. */
  readonly zones: Pick<SqliteZones, 'storedNames' | 'readStored' | 'isListDamaged'>;
  /** Whether the file is known to be the one that was closed in order. */
  readonly isProven: boolean;
  readonly log: Log;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

export class CopyChecks {
  /** Whether all of the copy has been checked since it was opened, or it was closed in order before. */
  isProven: boolean;
  /** Rows of domains are missing, or there are too many. */
  isDirectoryWrong = false;
  /** Zones whose rows are wrong and that were not written again yet. */
  readonly damaged = new Set<ZoneName>();
  private readonly options: CopyChecksOptions;
  private readonly nowMs: () => number;
  private readonly pace: CheckPace;
  private round: Steps<void> | undefined;
  private found = 0;

  constructor(options: CopyChecksOptions) {
    this.options = options;
    this.isProven = options.isProven;
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.pace = new CheckPace(this.nowMs);
  }

  /**
   * Checks for some milliseconds; returns true if it should go on at once.
   *
   * @throws errors of SQLite if the file itself is damaged
   */
  runSlice(): boolean {
    const untilMs = this.nowMs() + SLICE_MS;
    while (this.mayGoOn()) {
      const round = (this.round ??= this.beginRound());
      if (this.pace.take(() => round.next()).done === true) {
        this.round = undefined;
        this.isProven = true;
        this.pace.endRound();
        return false;
      }
      if (this.nowMs() >= untilMs) return this.mayGoOn();
    }
    return false;
  }

  /** Changes whenever the checks have found or proven something. */
  get findings(): string {
    return `${this.isProven} ${this.isDirectoryWrong} ${this.found}`;
  }

  /** Notes that the rows of a zone were found wrong. */
  note(name: ZoneName): void {
    if (this.damaged.has(name)) return;
    this.damaged.add(name);
    this.found++;
    if (this.found <= MAX_LOGGED_ZONES)
      this.options.log.error(
        { zone: name },
        'the rows of a zone in the zone copy are damaged; it is copied again',
      );
  }

  /** Zones have been written again. */
  repaired(names: Iterable<ZoneName>): void {
    for (const name of names) this.damaged.delete(name);
  }

  /** Releases what a round has open. */
  close(): void {
    this.round?.return();
    this.round = undefined;
  }

  private mayGoOn(): boolean {
    if (!this.isProven) return true;
    return this.pace.hasTime() && (this.round !== undefined || !this.pace.isResting());
  }

  private beginRound(): Steps<void> {
    this.pace.beginRound();
    return this.checkAll();
  }

  private *checkAll(): Steps<void> {
    yield* this.checkDirectory();
    yield* checkZones(this.options.zones, {
      isDamage: (error) => error instanceof ZoneDamaged,
      onChecked: (name, isIntact) => {
        if (isIntact) this.damaged.delete(name);
        else this.note(name);
      },
    });
    if (this.options.zones.isListDamaged) throw new Error('the list of names is damaged');
  }

  private *checkDirectory(): Steps<void> {
    const { copied, log } = this.options;
    copied.startSum();
    while (copied.sumMore(DOMAINS_AT_ONCE) !== undefined) yield;
    if (copied.endSum()) return;
    this.isDirectoryWrong = true;
    log.error(
      {},
      'domains are missing in the zone copy, or there are too many; it is compared with the database',
    );
  }
}
