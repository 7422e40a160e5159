// Messages between the main thread and the follower thread. Updates are sent as JSON texts, for the reasons given in
// `packed-record.ts`; none of the texts grows with a zone.
import { finishSteps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { PostgresAddress } from '../store/postgres/postgres-address.ts';
import type { FollowerState } from '../store/followed-zones.ts';
import { PieceSender } from '../store/threads/packed-list.ts';
import { packUpdate, unpackUpdate, type PackedUpdate } from '../store/threads/packed-record.ts';

export interface FollowerData {
  /** File of the copy. */
  readonly path: string;
  /** Id of the process in the database. */
  readonly id: string;
  readonly address: PostgresAddress;
  /** Display name of the process. */
  readonly nameserver: string;
  readonly startedAtMs: number;
  /** As in `CopyFile`. */
  readonly isProven: boolean;
  readonly isBroken: boolean;
}

export type ToFollower =
  | { readonly kind: 'follow' }
  /** The oldest unacknowledged progress message was passed on. */
  | { readonly kind: 'taken' }
  /** Poll the feed now. */
  | { readonly kind: 'wake' }
  /** A zone was found damaged when it was read. */
  | { readonly kind: 'damaged'; readonly zone: ZoneName }
  /** The file was found damaged when it was read. */
  | { readonly kind: 'broken' }
  /** All zones that the main thread serves in a former version, whatever the copy holds. */
  | { readonly kind: 'former'; readonly zones: readonly ZoneName[] }
  /** The remade file has the name of the copy. */
  | { readonly kind: 'swapped' }
  | { readonly kind: 'close' };

export type FromFollower =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: FollowerProgress; readonly updates: EncodedUpdates }
  /** The copy was made again, beside the damaged one. */
  | { readonly kind: 'remade' }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: string; readonly message: string };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type FollowerProgress = Omit<FollowerState, 'lagMs'>;

/** One JSON text per update, and the pieces of their long lists. */
export interface EncodedUpdates {
  readonly texts: readonly string[];
  readonly pieces: string[];
}

export function encodeUpdates(updates: readonly ZoneUpdate[]): EncodedUpdates {
  const pieces: string[] = [];
  const sender = new PieceSender((text) => pieces.push(text));
  return { texts: updates.map((update) => JSON.stringify(finishSteps(packUpdate(update, sender)))), pieces };
}

export function decodeUpdates({ texts, pieces }: EncodedUpdates): ZoneUpdate[] {
  return texts.map((text) => finishSteps(unpackUpdate(JSON.parse(text) as PackedUpdate, pieces)));
}

/** Converts the fields of a log line to text; JSON alone would lose errors. */
export function encodeFields(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? packError(value) : value));
}

/** Restores errors, because loggers describe them by their class. */
export function decodeFields(text: string): object {
  return JSON.parse(text, (_, value: unknown) =>
    isPackedError(value) ? unpackError(value) : value,
  ) as object;
}

interface PackedError {
  readonly isError: true;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: unknown;
}

function packError(error: Error): PackedError {
  const { name, message, stack } = error;
  return { isError: true, name, message, stack, ...('code' in error ? { code: error.code } : {}) };
}

function isPackedError(value: unknown): value is PackedError {
  return typeof value === 'object' && value !== null && 'isError' in value;
}

function unpackError({ name, message, stack, code }: PackedError): Error {
  return Object.assign(new Error(message), { name, stack, ...(code === undefined ? {} : { code }) });
}
