// Checks that the copy holds what was written to it, on the follower's thread between two looks at the feed:
//
//   all names and rows of domains ─▶ their digest ─▶ the records of each zone ─▶ again
//
// The first round of a copy that was not closed in order runs at full speed, because nothing of the copy is proven before its
// end. Later rounds read `CHECKED_OCTETS_PER_SECOND`.
import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { CHECKED_OCTETS_PER_SECOND, checkZones } from '../store/sqlite/check-zones.ts';
import type { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import type { CopiedZones } from './copied-zones.ts';

/** Longest delay of a change by a slice. */
const SLICE_MS = 5;

/** Rows of domains in a step: some 2 ms. */
const DOMAINS_AT_ONCE = 300;

/** Octets that a row of a domain counts for. */
const DOMAIN_OCTETS = 192;

/** Damaged zones that are logged by name in one run; more are only counted. */
const MAX_LOGGED_ZONES = 100;

export interface CopyChecksOptions {
  /** On the connection that writes. */
  readonly copied: CopiedZones;
  /** On connections of their own. */
  readonly zones: Pick<SqliteZones, 'hostedNames' | 'readZone' | 'isListDamaged'>;
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
  private round: Generator<number, void> | undefined;
  /** Octets that may be read now; negative after a large zone. */
  private allowance = 0;
  private allowedAtMs: number;
  private found = 0;

  constructor(options: CopyChecksOptions) {
    this.options = options;
    this.isProven = options.isProven;
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.allowedAtMs = this.nowMs();
  }

  /**
   * Checks for some milliseconds; returns true if it should go on at once.
   *
   * @throws errors of SQLite if the file itself is damaged
   */
  runSlice(): boolean {
    this.raiseAllowance();
    const untilMs = this.nowMs() + SLICE_MS;
    while (!this.isProven || this.allowance > 0) {
      this.round ??= this.checkAll();
      const step = this.round.next();
      if (step.done === true) {
        this.round = undefined;
        this.isProven = true;
        // The next round starts when there is an allowance again, even if there is nothing to read.
        this.allowance = Math.min(this.allowance, 0);
        return false;
      }
      this.allowance -= step.value;
      if (this.nowMs() >= untilMs) return !this.isProven || this.allowance > 0;
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

  private *checkAll(): Generator<number, void> {
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

  private *checkDirectory(): Generator<number, void> {
    const { copied, log } = this.options;
    copied.startSum();
    for (;;) {
      const count = copied.sumMore(DOMAINS_AT_ONCE);
      if (count === undefined) break;
      yield count * DOMAIN_OCTETS;
    }
    if (copied.endSum()) return;
    this.isDirectoryWrong = true;
    log.error(
      {},
      'domains are missing in the zone copy, or there are too many; it is compared with the database',
    );
  }

  private raiseAllowance(): void {
    const nowMs = this.nowMs();
    const more = ((nowMs - this.allowedAtMs) / 1000) * CHECKED_OCTETS_PER_SECOND;
    this.allowance = Math.min(this.allowance + more, CHECKED_OCTETS_PER_SECOND);
    this.allowedAtMs = nowMs;
  }
}
