// Checks in the background that the zones of the store's own file are those that were written. There is no second copy from
// which a damaged zone could be made again: what is in memory is served on, and operators are told.
import type { Log } from '../../base/log.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { CopyDoubt } from '../followed-zones.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import { CHECKED_OCTETS_PER_SECOND, checkZones } from './check-zones.ts';
import type { SqliteZones } from './sqlite-zones.ts';

const INTERVAL_MS = 1000;

/** Damaged zones that are logged by name in one run; more are only counted. */
const MAX_LOGGED_ZONES = 100;

export class StoreChecks {
  private readonly log: Log;
  private readonly damaged = new Set<ZoneName>();
  private readonly timer: NodeJS.Timeout;
  private round: Generator<number, void> | undefined;
  /** Octets that may be read now; negative after a large zone. */
  private allowance = 0;
  private logged = 0;

  /** @param zones undefined until the file can be read */
  constructor(zones: () => SqliteZones | undefined, log: Log) {
    this.log = log;
    this.timer = setInterval(() => {
      this.allowance = Math.min(this.allowance + CHECKED_OCTETS_PER_SECOND, CHECKED_OCTETS_PER_SECOND);
      this.round ??= this.begin(zones());
      this.step();
    }, INTERVAL_MS).unref();
  }

  get doubt(): CopyDoubt | undefined {
    const damagedZones = this.damaged.size;
    if (damagedZones === 0) return undefined;
    const reason = `${damagedZones} zones of the store are damaged: restore them from a backup`;
    return { about: 'some', damagedZones, isDamage: true, reason };
  }

  /** Notes why a zone could not be read. */
  note(name: ZoneName, error: unknown): void {
    if (!(error instanceof ZoneDamaged) || this.damaged.has(name)) return;
    this.damaged.add(name);
    this.logged++;
    if (this.logged <= MAX_LOGGED_ZONES)
      this.log.error({ zone: name }, 'the rows of a zone in the store are damaged; restore it from a backup');
  }

  close(): void {
    clearInterval(this.timer);
    this.round?.return();
    this.round = undefined;
    this.allowance = -Infinity;
  }

  private begin(zones: SqliteZones | undefined): Generator<number, void> | undefined {
    if (zones === undefined) return undefined;
    for (const name of this.damaged) if (!zones.hosts(name)) this.damaged.delete(name);
    return checkZones(zones, (name, isIntact) => {
      if (isIntact) this.damaged.delete(name);
      else this.note(name, new ZoneDamaged(name));
    });
  }

  /** One step in a turn of the event loop, so that no load and no change waits for long. */
  private step(): void {
    if (this.allowance <= 0 || this.round === undefined) return;
    try {
      const step = this.round.next();
      if (step.done === true) {
        this.round = undefined;
        return;
      }
      this.allowance -= step.value;
      setImmediate(() => this.step());
    } catch (error) {
      this.round = undefined;
      this.log.error({ err: error }, 'the store cannot be checked');
    }
  }
}
