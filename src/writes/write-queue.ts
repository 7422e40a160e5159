import type { Command, CommandResult } from './command.ts';
import type { Decision } from './run-batch.ts';
import { CommitInDoubt, StoreUnavailable } from './store-errors.ts';

/** The most unanswered commands: half a second of work. Beyond it, clients do better to retry later. */
export const MAX_QUEUED_COMMANDS = 8192;

/**
 * The most octets of record data in unanswered commands: keeps the queue below about 200 MB, even with the longest TXT
 * records. A command that is larger by itself is accepted if no other is waiting.
 */
export const MAX_QUEUED_BYTES = 32 * 1024 * 1024;

/**
 * The engine's reply to one command. `unavailable`: nothing was committed, and a retry is safe; `unknown`: the connection was
 * lost during the commit, and its result cannot be determined.
 */
export type CommandReply = Decision | { readonly kind: 'unavailable' | 'unknown'; readonly message: string };

/** A command that waits for its result. */
export interface QueuedWrite {
  readonly command: Command;
  readonly sizeBytes: number;
  readonly resolve: (result: CommandResult<Command>) => void;
  readonly reject: (error: Error) => void;
}

/** The commands of one store that wait for a batch. The limits include those in a batch that are not answered yet. */
export class WriteQueue {
  private readonly waiting: QueuedWrite[] = [];
  private unanswered = 0;
  private queuedBytes = 0;

  /** The number of commands that are not answered yet. */
  get length(): number {
    return this.unanswered;
  }

  /** The number of commands that are not in a batch yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Rejects with StoreUnavailable if the queue is full. */
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

  /** Takes the oldest waiting commands, at least one if any waits. The caller must answer them. */
  take(maxCommands: number, maxBytes = Infinity): QueuedWrite[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(maxCommands, this.waiting.length); count++) {
      bytes += this.waiting[count].sizeBytes;
      if (count > 0 && bytes > maxBytes) break;
    }
    return this.waiting.splice(0, count);
  }

  /** @param reply undefined if the engine gave none, which is a bug */
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
 * The result for the caller of a command.
 *
 * @param reply undefined if the engine gave none, which is a bug
 * @throws StoreUnavailable or CommitInDoubt; any other error is a bug
 */
export function resultOf({ kind }: Command, reply: CommandReply | undefined): CommandResult<Command> {
  switch (reply?.kind) {
    case 'decided':
      return reply.result;
    case 'unavailable':
      throw new StoreUnavailable(`the store cannot be written: ${reply.message}`);
    case 'unknown':
      throw new CommitInDoubt(`it is unknown whether this was written: ${reply.message}`);
    case 'failed':
    case undefined:
      throw new Error(`deciding ${kind} failed: ${reply?.message ?? 'no answer'}`);
  }
}

/** The size of a record in a list, without its data. */
const RECORD_BYTES = 64;

/** Text counts twice: as text and as wire data. */
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
