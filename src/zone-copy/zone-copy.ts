// The copy of all zones that a nameserver process keeps, updated from the database by a thread of its own.
//
//   database ─ feed ─▶ follower thread ─▶ zone-copy.db ─▶ readZone
//                            └ updates ─▶ onUpdate listeners, then `reached`
//
// Zones are only read from the copy. An unreachable database, even at the start, is visible only in `state`.
import { monotonicClock, type Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { PostgresAddress } from '../store/postgres/postgres-address.ts';
import { lockFolder } from '../store/sqlite/open-store-files.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import type { StoreLock } from '../store/sqlite/store-lock.ts';
import type { FollowedZones, FollowerState } from '../store/followed-zones.ts';
import { readWatched } from '../store/sqlite/watched-zone.ts';
import type { ZoneSnapshot } from '../store/store.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import { isDamage, openCopyFile } from './copy-file.ts';
import { FollowerClient } from './follower-client.ts';
import type { FollowerProgress } from './follower-messages.ts';
import { copyTables } from './hashed-tables.ts';
import { swapCopies } from './swap-copies.ts';

export interface ZoneCopyOptions {
  readonly folder: string;
  readonly address: PostgresAddress;
  /** Display name of this process. */
  readonly nameserver: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The feed is polled every second; without an answer for so long, it is unknown whether changes are missing. */
const FRESH_MS = 3000;

/** As long as writes wait for a nameserver process that starts: a copy that needs longer is served meanwhile. */
const SETTLING_MS = 2000;

/**
 * Resolves when zones can be read; a new folder has none until the database has been reached.
 *
 * @throws StoreOpenError with one sentence if the folder is not writable or in use
 */
export async function openZoneCopy(options: ZoneCopyOptions): Promise<ZoneCopy> {
  const { folder, address, nameserver, clock, log } = options;
  const lock = lockFolder(folder);
  try {
    const file = openCopyFile(folder, log);
    const data = { ...file, address, nameserver, startedAtMs: clock.nowMs() };
    const client = await FollowerClient.start(data, log);
    return new ZoneCopy({ ...file, lock, client, log });
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
  readonly log: Log;
}

interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
}

export class ZoneCopy implements FollowedZones {
  /** Id of the folder when it was opened, which identifies this process in the database and survives restarts. */
  readonly id: string;
  private readonly parts: ZoneCopyParts;
  private zones: SqliteZones;
  private readonly listeners: UpdateListener[] = [];
  private readonly progressListeners: (() => void)[] = [];
  private waiting: Waiting[] = [];
  private progress: FollowerProgress = { phase: 'away', seq: 0, feedSeq: null };
  private currentAtMs: number | null = null;
  private endSettling: () => void = () => undefined;
  private closed: Promise<void> | undefined;

  constructor(parts: ZoneCopyParts) {
    this.id = parts.id;
    this.parts = parts;
    this.zones = new SqliteZones(parts.path, copyTables);
    parts.client.follow(
      (progress, updates) => this.take(progress, updates),
      () => this.swap(),
    );
  }

  onUpdate(listener: UpdateListener): void {
    this.listeners.push(listener);
  }

  onProgress(listener: () => void): void {
    this.progressListeners.push(listener);
  }

  readZone(name: ZoneName): ZoneSnapshot | undefined {
    const { client } = this.parts;
    return readWatched(
      () => this.zones.readZone(name),
      (error) => {
        if (error instanceof ZoneDamaged) client.noteDamage(error.zone);
        else if (isDamage(error)) client.noteDamage(undefined);
      },
    );
  }

  accountOf(name: ZoneName): string {
    return this.zones.accountOf(name);
  }

  hostedCount(): number {
    return this.readList(() => this.zones.hostedCount());
  }

  hostedNames(after: string, limit: number): readonly ZoneName[] {
    return this.readList(() => this.zones.hostedNames(after, limit));
  }

  state(): FollowerState {
    return { ...this.progress, lagMs: this.lagMs() };
  }

  /** Resolves when all changes up to that seq are applied and every listener has returned, or when the copy is closed. */
  reached(seq: number): Promise<void> {
    if (seq <= this.progress.seq || this.closed !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ seq, resolve }));
  }

  /**
   * Resolves when the zones are known to be those of the database, when the database cannot be reached, or when the time is
   * up. A process that answers earlier may answer with less than the run before it has reported.
   */
  settled(longestMs = SETTLING_MS): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestMs);
      this.endSettling = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Polls the feed now. */
  wake(): void {
    this.parts.client.wake();
  }

  noteFormer(zones: readonly ZoneName[]): void {
    this.parts.client.noteFormer(zones);
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
      this.currentAtMs = monotonicClock.elapsedMs();
    this.answerWaiting((waiting) => waiting.seq <= seq);
    if (isSettled(progress)) this.endSettling();
    for (const listener of this.progressListeners) listener();
  }

  /** A damaged list of names must not end the process, and every name that can be read is hosted until it is made again. */
  private readList<T>(read: () => T): T {
    const result = read();
    if (this.zones.isListDamaged) this.parts.client.noteDamage(undefined);
    return result;
  }

  private async swap(): Promise<void> {
    await swapCopies({
      path: this.parts.path,
      damaged: this.zones,
      onSwapped: (zones) => (this.zones = zones),
      publish: (updates) => this.notify(updates),
    });
  }

  /** A bug in a listener must not leave callers waiting forever. */
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
    const agoMs = monotonicClock.elapsedMs() - this.currentAtMs;
    const isCurrent = phase === 'following' && feedSeq !== null && seq >= feedSeq && agoMs < FRESH_MS;
    return isCurrent ? 0 : Math.max(0, agoMs);
  }

  /** Resolves the pending waits: their changes are committed, and this process no longer answers queries. */
  private async closeAll(): Promise<void> {
    await this.parts.client.close();
    this.endSettling();
    this.answerWaiting(() => true);
    this.zones.close();
    this.parts.lock.release();
  }
}

/** An empty database has no position whose zones could be known. Awaited zones are served as in the run before. */
function isSettled({ phase, seq, feedSeq, doubt }: FollowerProgress): boolean {
  if (phase === 'away') return true;
  const isKnown = doubt === undefined || (doubt.about === 'some' && doubt.damagedZones === 0);
  return phase === 'following' && seq >= (feedSeq ?? 0) && (seq === 0 || isKnown);
}
