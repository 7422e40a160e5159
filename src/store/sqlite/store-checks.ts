// Checks that the zones of the store's own file are those that were written: in the background, when they are loaded, and when
// a damaged one is written again. There is no second copy from which a damaged zone could be made again: what is in memory is
// served on, operators are told, and a write that replaces the zone heals it.
import type { Log } from '../../base/log.ts';
import type { Steps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { CopyDoubt } from '../followed-zones.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import { CheckPace } from './check-pace.ts';
import { checkNamed, checkZones, type ZoneChecks } from './check-zones.ts';
import { sqliteErrorCode } from './sqlite-driver.ts';
import type { SqliteZones } from './sqlite-zones.ts';

const INTERVAL_MS = 1000;

/** Damaged zones that are logged by name in one run; more are only counted. */
const MAX_LOGGED_ZONES = 100;

/** Damaged zones that are named to the process that speaks HTTP, in 64 KB at most; of more, any zone may be one. */
const MAX_NAMED_ZONES = 256;

export interface StoreChecksOptions {
  /** Undefined until the file can be read. */
  readonly zones: () => SqliteZones | undefined;
  /** Called whenever `doubt` has changed. */
  readonly onChange: () => void;
  readonly log: Log;
}

export class StoreChecks {
  private readonly options: StoreChecksOptions;
  private readonly damaged = new Set<ZoneName>();
  /** Damaged zones that have been written since they were checked. */
  private readonly written = new Set<ZoneName>();
  private readonly timer: NodeJS.Timeout;
  private readonly pace = new CheckPace();
  private round: Steps<void> | undefined;
  private roundOfWritten: Steps<void> | undefined;
  private isStepping = false;
  private isClosed = false;
  private logged = 0;

  constructor(options: StoreChecksOptions) {
    this.options = options;
    this.timer = setInterval(() => {
      if (!this.pace.isResting()) this.round ??= this.begin(options.zones());
      this.stepLater();
    }, INTERVAL_MS).unref();
  }

  get doubt(): CopyDoubt | undefined {
    const damagedZones = this.damaged.size;
    if (damagedZones === 0) return undefined;
    const reason = `${damagedZones} zones of the store are damaged: replace their records, or restore a backup`;
    const about = { damagedZones, isDamage: true, reason };
    return damagedZones > MAX_NAMED_ZONES
      ? { ...about, about: 'all' }
      : { ...about, about: 'some', zones: [...this.damaged] };
  }

  /** Notes why a zone could not be read; returns whether it is damaged. */
  note(name: ZoneName, error: unknown): boolean {
    if (!isZoneDamage(error)) return false;
    this.add(name);
    return true;
  }

  /** Notes that a zone was read as it was written, or is gone. */
  noteIntact(name: ZoneName): void {
    if (!this.damaged.delete(name)) return;
    this.options.log.info({ zone: name }, 'a zone of the store is no longer damaged');
    this.options.onChange();
  }

  /** A write to a damaged zone may have replaced what was wrong. */
  take(updates: readonly ZoneUpdate[]): void {
    if (this.damaged.size === 0) return;
    for (const update of updates) {
      const name = update.kind === 'deleted' ? update.name : update.head.name;
      if (this.damaged.has(name)) this.written.add(name);
    }
    if (this.written.size > 0) this.stepLater();
  }

  close(): void {
    clearInterval(this.timer);
    this.round?.return();
    this.roundOfWritten?.return();
    this.round = undefined;
    this.written.clear();
    this.isClosed = true;
  }

  private add(name: ZoneName): void {
    if (this.damaged.has(name)) return;
    this.damaged.add(name);
    this.logged++;
    if (this.logged <= MAX_LOGGED_ZONES)
      this.options.log.error(
        { zone: name },
        'the rows of a zone in the store are damaged; replace or restore its records',
      );
    this.options.onChange();
  }

  private begin(zones: SqliteZones | undefined): Steps<void> | undefined {
    if (zones === undefined) return undefined;
    this.pace.beginRound();
    for (const name of this.damaged) if (!zones.stores(name)) this.noteIntact(name);
    return checkZones(zones, this.checks);
  }

  private beginWritten(zones: SqliteZones | undefined): Steps<void> | undefined {
    if (zones === undefined || this.written.size === 0) return undefined;
    const names = [...this.written];
    this.written.clear();
    return checkNamed(zones, names, this.checks);
  }

  private get checks(): ZoneChecks {
    return {
      isDamage: isZoneDamage,
      onChecked: (name, isIntact) => {
        if (isIntact) this.noteIntact(name);
        else this.add(name);
      },
    };
  }

  private stepLater(): void {
    if (this.isStepping) return;
    this.isStepping = true;
    setImmediate(() => {
      this.isStepping = false;
      this.step();
    });
  }

  /** One step in a turn of the event loop, so that no load and no change waits for long. */
  private step(): void {
    if (this.isClosed || !this.pace.hasTime()) return;
    this.roundOfWritten ??= this.beginWritten(this.options.zones());
    const round = this.roundOfWritten ?? this.round;
    if (round === undefined) return;
    try {
      const step = this.pace.take(() => round.next());
      if (step.done === true) this.end(round);
    } catch (error) {
      this.end(round);
      this.options.log.error({ err: error }, 'the store cannot be checked');
    }
    const isDue = this.roundOfWritten !== undefined || this.written.size > 0;
    if (isDue || this.round !== undefined) this.stepLater();
  }

  private end(round: Steps<void>): void {
    if (round === this.roundOfWritten) {
      this.roundOfWritten = undefined;
      return;
    }
    this.round = undefined;
    this.pace.endRound();
  }
}

/** SQLITE_CORRUPT: pages of its records cannot be read. */
const SQLITE_CORRUPT = 11;

function isZoneDamage(error: unknown): boolean {
  return error instanceof ZoneDamaged || sqliteErrorCode(error) === SQLITE_CORRUPT;
}
