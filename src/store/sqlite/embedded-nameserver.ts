import type { Clock } from '../../base/clock.ts';
import type { Domain } from '../../model/domain.ts';
import type { ServedWrites } from '../after-commit.ts';
import type { NameserverReport, ServedSerial } from '../store.ts';
import type { SqliteReads } from './sqlite-reads.ts';

/** Only one process uses the store, so its id need not be unique. */
const ID = 'embedded';

interface EmbeddedNameserverOptions {
  /** `ID` by default. */
  readonly name: string | undefined;
  /** Undefined: zones are served by this process, and always current. */
  readonly served: ServedWrites | undefined;
  readonly reads: SqliteReads;
  readonly clock: Clock;
}

/** Reads the serials that the nameserver of an embedded store serves. It is the only one. */
export class EmbeddedNameserver {
  private readonly name: string;
  private readonly options: EmbeddedNameserverOptions;

  constructor(options: EmbeddedNameserverOptions) {
    this.name = options.name ?? ID;
    this.options = options;
  }

  readSerials({ id, name }: Domain): readonly ServedSerial[] {
    const { served, reads, clock } = this.options;
    const former = served?.formerSerial(name);
    const isRead = former === undefined && served?.serves(name) !== false;
    const state = isRead ? reads.findServedState(id) : undefined;
    const about = { id: ID, nameserver: this.name, seenAtMs: clock.nowMs(), isLive: this.isServing() };
    if (state?.isWithheld === true) return [{ ...about, serial: null, takenAtMs: null, isWithheld: true }];
    return [{ ...about, serial: former ?? state?.serial ?? null, takenAtMs: state?.changedAtMs ?? null }];
  }

  /** Empty while nothing is served. */
  readReports(): readonly NameserverReport[] {
    if (!this.isServing()) return [];
    return [{ id: ID, name: this.name, ageMs: 0, seq: this.options.reads.lastSeq() }];
  }

  private isServing(): boolean {
    return this.options.served?.isServing() ?? true;
  }
}
