import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSource } from './store.ts';

/**
 * `following`: every change is applied as it is committed. `copying`: all zones are being made equal to a snapshot of the
 * database; meanwhile they correspond to no position. `away`: the feed cannot be read, or was never written.
 */
export type FollowerPhase = 'following' | 'copying' | 'away';

export interface FollowerState {
  readonly phase: FollowerPhase;
  /** The served zones hold all changes up to here; 0: they correspond to no position. */
  readonly seq: number;
  /** The end of the feed when last read; null: not since the start. */
  readonly feedSeq: number | null;
  /** 0: no change is missing; otherwise the time since that was last known; null: not since the start. */
  readonly lagMs: number | null;
  /** How far the clock of this process is ahead of that of the database; undefined: not known. */
  readonly clockOffsetMs?: number | undefined;
  /** Why the database refuses the log-in; undefined: it does not. */
  readonly refusedLogin?: string | undefined;
  /** Zones whose content is still to be fetched; absent: there are none. */
  readonly awaited?: readonly FormerVersion[] | undefined;
  /** Which zones may not be equal to those of the database; undefined: none. */
  readonly doubt?: CopyDoubt | undefined;
}

/** A domain that is served as it was before the position of the feed. */
export interface FormerVersion {
  readonly name: ZoneName;
  /** The serial that is served; null: the domain is not served yet. */
  readonly serial: number | null;
}

/** Why and for which zones it is not known that they are those of the store. */
export interface CopyDoubt {
  /** `all`: any zone may be wrong; `some`: only those that are counted. */
  readonly about: 'all' | 'some';
  /** Zones whose rows were found damaged and that are not copied again yet. */
  readonly damagedZones: number;
  /** Their names; absent if they are reported elsewhere, or are too many. */
  readonly zones?: readonly ZoneName[];
  /** True if damage or a difference was found; false while nothing is known to be wrong. */
  readonly isDamage: boolean;
  /** A sentence without a full stop. */
  readonly reason: string;
}

/** The changes of one commit, as the process that writes the store sends it after the commit. */
export interface SentCommit {
  /** The identity of the file that was written. */
  readonly file: string;
  /** The end of the feed before the commit, and after it. */
  readonly afterSeq: number;
  readonly lastSeq: number;
  /** All changes between the two, as reading the feed would find them. */
  readonly updates: readonly ZoneUpdate[];
}

/** Zones that follow the feed of a store in another process. */
export interface FollowedZones extends ZoneSource {
  state(): FollowerState;
  /** The listener is called whenever the state has changed, after every `onUpdate` listener has returned. Must not throw. */
  onProgress(listener: () => void): void;
  /**
   * Reads the feed now.
   *
   * @param commits in order; applied instead if they continue exactly at the position
   */
  wake(commits?: readonly SentCommit[]): void;
  /** Receives all zones that are served in a former version, after each change; absent: it reports nothing of them. */
  noteFormer?(zones: readonly ZoneName[]): void;
}
