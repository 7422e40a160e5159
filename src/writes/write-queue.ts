import type { Command, CommandResult } from './command.ts';
import type { Decision } from './run-batch.ts';
import { CommitInDoubt, StoreUnavailable } from './store-errors.ts';

/** Commands taken and not yet answered: half a second's work. Beyond it a caller is better off asked to come again. */
export const MAX_QUEUED_COMMANDS = 8192;

/**
 * Octets of record data in them: keeps the queue's memory within some 200 MB, also with the longest TXT records. One that
 * is larger by itself is taken when no other waits.
 */
export const MAX_QUEUED_BYTES = 32 * 1024 * 1024;

/**
 * What became of one command. `unavailable`: nothing of it was committed, trying again is safe; `unknown`: the
 * connection was lost at the commit, and nobody can say.
 */
export type CommandReply = Decision | { readonly kind: 'unavailable' | 'unknown'; readonly message: string };

/** A command that waits for its answer. */
export interface QueuedWrite {
  readonly command: Command;
  readonly sizeBytes: number;
  readonly resolve: (result: CommandResult<Command>) => void;
  readonly reject: (error: Error) => void;
}

/** The commands of one store that wait to be taken into a batch, bounded together with those taken and not yet answered. */
export class WriteQueue {
  private readonly waiting: QueuedWrite[] = [];
  private unanswered = 0;
  private queuedBytes = 0;

  /** Commands that are not answered yet. */
  get length(): number {
    return this.unanswered;
  }

  /** Commands that are not taken yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Rejects with StoreUnavailable where the queue has no room. */
  add(command: Command): Promise<CommandResult<Command>> {
    const sizeBytes = sizeOf(command);
    const isTooMuch = this.unanswered > 0 && this.queuedBytes + sizeBytes > MAX_QUEUED_BYTES;
    if (this.unanswered >= MAX_QUEUED_COMMANDS || isTooMuch) {
      return Promise.reject(new StoreUnavailable(`${this.unanswered} writes are waiting already`));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, sizeBytes, resolve, reject });
      this.unanswered++;
      this.queuedBytes += sizeBytes;
    });
  }

  /** The oldest that wait, at least one if any does, to be answered by whoever takes them. */
  take(maxCommands: number, maxBytes = Infinity): QueuedWrite[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(maxCommands, this.waiting.length); count++) {
      bytes += this.waiting[count].sizeBytes;
      if (count > 0 && bytes > maxBytes) break;
    }
    return this.waiting.splice(0, count);
  }

  /** @param reply undefined where the engine left one out: its bug */
  answer({ command, sizeBytes, resolve, reject }: QueuedWrite, reply: CommandReply | undefined): void {
    this.unanswered--;
    this.queuedBytes -= sizeBytes;
    try {
      resolve(resultOf(command, reply));
    } catch (error) {
      reject(error as Error);
    }
  }
}

/**
 * What a command's caller is told.
 *
 * @param reply undefined where the engine left one out: its bug
 * @throws StoreUnavailable, CommitInDoubt; all else is our bug
 */
export function resultOf({ kind }: Command, reply: CommandReply | undefined): CommandResult<Command> {
  switch (reply?.kind) {
    case 'decided':
      return reply.result;
    case 'unavailable':
      throw new StoreUnavailable(`the store cannot be written: ${reply.message}`);
    case 'unknown':
      throw new CommitInDoubt(`nobody knows whether this was written: ${reply.message}`);
    case 'failed':
    case undefined:
      throw new Error(`deciding ${kind} failed: ${reply?.message ?? 'no answer'}`);
  }
}

/** Of one among many records, what it takes besides its data. */
const RECORD_BYTES = 64;

/** Text counts twice: as it is and as wire data. */
function sizeOf(command: Command): number {
  switch (command.kind) {
    case 'createRecord':
      return sizeOfData(command.record);
    case 'updateRecord':
      return sizeOfData(command.patch);
    case 'importZone':
      return sizeOfMany(command.records);
    case 'changeRecords': {
      const { deletes, updates, creates } = command.changes;
      const patches = updates.map(({ patch }) => patch);
      return deletes.length * RECORD_BYTES + sizeOfMany(patches) + sizeOfMany(creates);
    }
    default:
      return 0;
  }
}

function sizeOfMany(items: readonly { readonly data?: string }[]): number {
  return items.reduce((bytes, item) => bytes + RECORD_BYTES + sizeOfData(item), 0);
}

function sizeOfData({ data = '' }: { readonly data?: string }): number {
  return data.length * 2;
}
