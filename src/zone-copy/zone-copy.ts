// A nameserver process's own copy of all zones, kept up to date from the database by a thread of its own.
//
//   database ─ feed ─▶ follower thread ─▶ zone-copy.db ─▶ readZone
//                            └ updates ─▶ onUpdate listeners, then `reached`
//
// Zones are read from the copy alone: that the database is away, also at the start, shows nowhere but in `state`.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { PostgresAddress } from '../store/postgres/postgres-address.ts';
import { lockFolder } from '../store/sqlite/open-store-files.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import type { StoreLock } from '../store/sqlite/store-lock.ts';
import type { ZoneSnapshot, ZoneSource } from '../store/store.ts';
import { isDamage, markDamaged, openCopyFile } from './copy-file.ts';
import { FollowerClient } from './follower-client.ts';
import type { FollowerPhase, FollowerProgress } from './follower-messages.ts';

export interface ZoneCopyOptions {
  readonly folder: string;
  readonly address: PostgresAddress;
  /** This process's name, for people. */
  readonly nameserver: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface FollowerState {
  readonly phase: FollowerPhase;
  /** What is served holds all changes up to here; 0: it is of no known moment. */
  readonly seq: number;
  /** The feed's end when last seen; null: not since the start. */
  readonly feedSeq: number | null;
  /** 0: nothing is missing; else how long ago that was last so; null: not since the start. */
  readonly lagMs: number | null;
}

/** The feed is looked at every second; not heard of for this long, nobody knows what is missing. */
const FRESH_MS = 3000;

/**
 * Resolves when zones can be read; with a new folder there are none until the database has been reached.
 *
 * @throws StoreOpenError with one sentence: not writable, in use
 */
export async function openZoneCopy(options: ZoneCopyOptions): Promise<ZoneCopy> {
  const { folder, address, nameserver, clock, log } = options;
  const lock = lockFolder(folder);
  try {
    const file = openCopyFile(folder, log);
    const data = { ...file, address, nameserver, startedAtMs: clock.nowMs() };
    const client = await FollowerClient.start(data, log);
    return new ZoneCopy({ ...file, lock, client, clock, log });
  } catch (error) {
    lock.release();
    throw error;
  }
}

type UpdateListener = (updates: readonly ZoneUpdate[]) => void;

interface ZoneCopyParts {
  readonly id: string;
  readonly path: string;
  readonly lock: StoreLock;
  readonly client: FollowerClient;
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
}

export class ZoneCopy implements ZoneSource {
  /** Of the folder when it was opened, stable over restarts: the database knows this process by it. */
  readonly id: string;
  private readonly parts: ZoneCopyParts;
  private readonly zones: SqliteZones;
  private readonly listeners: UpdateListener[] = [];
  private waiting: Waiting[] = [];
  private progress: FollowerProgress = { phase: 'away', seq: 0, feedSeq: null };
  private currentAtMs: number | null = null;
  private closed: Promise<void> | undefined;

  constructor(parts: ZoneCopyParts) {
    this.id = parts.id;
    this.parts = parts;
    this.zones = new SqliteZones(parts.path);
    parts.client.follow((progress, updates) => this.take(progress, updates));
  }

  onUpdate(listener: UpdateListener): void {
    this.listeners.push(listener);
  }

  readZone(name: ZoneName): ZoneSnapshot | undefined {
    try {
      return this.zones.readZone(name);
    } catch (error) {
      if (isDamage(error)) markDamaged(this.parts.path);
      throw error;
    }
  }

  hostedCount(): number {
    return this.zones.hostedCount();
  }

  hostedNames(after: string, limit: number): readonly ZoneName[] {
    return this.zones.hostedNames(after, limit);
  }

  state(): FollowerState {
    return { ...this.progress, lagMs: this.lagMs() };
  }

  /** Resolves when all changes up to that seq are applied and every listener has returned; also when it closes. */
  reached(seq: number): Promise<void> {
    if (seq <= this.progress.seq || this.closed !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ seq, resolve }));
  }

  /** Looks at the feed now. */
  wake(): void {
    this.parts.client.wake();
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private take(progress: FollowerProgress, updates: readonly ZoneUpdate[]): void {
    if (updates.length > 0) this.notify(updates);
    this.progress = progress;
    const { phase, seq, feedSeq } = progress;
    if (phase === 'following' && feedSeq !== null && seq >= feedSeq)
      this.currentAtMs = this.parts.clock.nowMs();
    this.answerWaiting((waiting) => waiting.seq <= seq);
  }

  /** A listener's bug must not keep anyone waiting for ever. */
  private notify(updates: readonly ZoneUpdate[]): void {
    for (const listener of this.listeners) {
      try {
        listener(updates);
      } catch (error) {
        this.parts.log.error({ err: error }, 'a listener failed on copied updates');
      }
    }
  }

  private answerWaiting(isDue: (waiting: Waiting) => boolean): void {
    const { waiting } = this;
    if (!waiting.some(isDue)) return;
    this.waiting = waiting.filter((one) => !isDue(one));
    for (const one of waiting) if (isDue(one)) one.resolve();
  }

  private lagMs(): number | null {
    if (this.currentAtMs === null) return null;
    const { phase, seq, feedSeq } = this.progress;
    const agoMs = this.parts.clock.nowMs() - this.currentAtMs;
    const isCurrent = phase === 'following' && feedSeq !== null && seq >= feedSeq && agoMs < FRESH_MS;
    return isCurrent ? 0 : Math.max(0, agoMs);
  }

  /** What still waits is committed, and nobody is answered from here any more. */
  private async closeAll(): Promise<void> {
    await this.parts.client.close();
    this.answerWaiting(() => true);
    this.zones.close();
    this.parts.lock.release();
  }
}
