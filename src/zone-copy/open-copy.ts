import { existsSync, statSync } from 'node:fs';
import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { SqliteZones } from '../store/sqlite/sqlite-zones.ts';
import { CopyChecks } from './copy-checks.ts';
import { sealCopy } from './copy-seal.ts';
import { CopyWriter } from './copy-writer.ts';
import { copyTables } from './hashed-tables.ts';
import { Follower, type Feed, type FollowerOptions } from './follower.ts';

export interface OpenCopyOptions {
  readonly path: string;
  readonly feed: Feed;
  /** As in `CopyFile`. */
  readonly isProven: boolean;
  readonly log: Log;
  readonly publish: FollowerOptions['publish'];
}

/** A copy that the follower thread has open: the connection that writes it, its checks, and what follows the feed. */
export class OpenCopy {
  readonly writer: CopyWriter;
  readonly checks: CopyChecks;
  readonly follower: Follower;
  /** Its file was found damaged by others that read it. */
  isBrokenOff = false;
  private readonly path: string;
  private readonly generation: string;
  private readonly zones: SqliteZones;
  private readonly timer: NodeJS.Timeout;

  /** @throws errors of SQLite if the file is damaged */
  static open(options: OpenCopyOptions): OpenCopy {
    const writer = new CopyWriter(options.path);
    try {
      return new OpenCopy(options, writer, new SqliteZones(options.path, copyTables));
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  private constructor(options: OpenCopyOptions, writer: CopyWriter, zones: SqliteZones) {
    const { path, feed, isProven, log, publish } = options;
    this.path = path;
    this.writer = writer;
    this.zones = zones;
    this.generation = writer.drawGeneration();
    const inode = inodeOf(path);
    this.timer = setInterval(() => {
      if (!this.isBrokenOff && inodeOf(path) !== inode) this.breakOff();
    }, LOOK_INTERVAL_MS).unref();
    this.checks = new CopyChecks({ copied: writer.zones, zones, isProven, log });
    this.follower = new Follower({ feed, copy: writer, checks: this.checks, publish, log });
  }

  /** The digest at that position; null: the copy, or a zone of it, is elsewhere. */
  digestAt(seq: number): string | null {
    const { position, awaited, digest } = this.writer;
    return position?.seq === seq && awaited.size === 0 ? digest : null;
  }

  /** The ids that damaged and awaited zones have in the database; undefined: not known, or too many. */
  doubtedIds(): readonly number[] | undefined {
    const { damaged } = this.checks;
    const awaited = this.writer.awaited.all.map(({ sourceId }) => sourceId);
    if (damaged.size + awaited.length > MAX_DOUBTED_IDS) return undefined;
    const ids = this.idsOf(damaged);
    return ids && [...ids, ...awaited];
  }

  /** The ids that zones have in the database; undefined: they cannot be read. */
  idsOf(names: Iterable<ZoneName>): readonly number[] | undefined {
    try {
      return Array.from(names).flatMap((name) => this.writer.zones.find(name)?.sourceId ?? []);
    } catch {
      return undefined;
    }
  }

  /** Ends following, because the file is damaged. */
  breakOff(): void {
    this.isBrokenOff = true;
    this.follower.close();
  }

  /** Seals the copy if it is as right as when it was opened or better. */
  close(): void {
    const { isProven, isDirectoryWrong, damaged } = this.checks;
    clearInterval(this.timer);
    this.checks.close();
    this.zones.close();
    try {
      this.writer.close();
      const isRight = isProven && !isDirectoryWrong && damaged.size === 0 && !this.isBrokenOff;
      if (isRight) sealCopy(this.path, this.generation);
    } catch {
      // A damaged file is checked when it is opened again.
    }
  }
}

/** How often it is checked that the file still has its name: a deleted file is served and written on unseen. */
const LOOK_INTERVAL_MS = 1000;

function inodeOf(path: string): number | undefined {
  return existsSync(path) ? statSync(path).ino : undefined;
}

/** A report names at most so many domains; beyond, it says that any may be wrong. */
const MAX_DOUBTED_IDS = 1000;
