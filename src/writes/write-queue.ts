import type { Command, CommandResult } from './command.ts';
import { costOf, type CommandWeight } from './command-weight.ts';
import type { Decision } from './run-batch.ts';
import { CommitInDoubt, StoreBusy, StoreUnavailable } from './store-errors.ts';

/** The most unanswered commands: half a second of work. Beyond it, clients do better to retry later. */
export const MAX_QUEUED_COMMANDS = 8192;

/** The share of one account: a quarter, so that three others find room however many one account sends. */
export const MAX_ACCOUNT_COMMANDS = MAX_QUEUED_COMMANDS / 4;

/**
 * The most octets in unanswered commands: keeps the queue below about 200 MB, even with the longest TXT records. A command
 * that is larger by itself is accepted if no other of its account is waiting.
 */
export const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** The share of one account: a quarter, as above. */
export const MAX_ACCOUNT_BYTES = MAX_QUEUED_BYTES / 4;

/** The cost of the commands that an account may have decided in one turn: about a millisecond of work. */
const TURN_COST = 32 * 1024;

/**
 * The engine's reply to one command. `unavailable`: nothing was committed, and a retry is safe; `busy`: the same, because
 * there is too much to do; `unknown`: it cannot be determined whether it was committed.
 */
export type CommandReply = Decision | LostReply | { readonly kind: 'busy'; readonly message: string };

export interface LostReply {
  readonly kind: 'unavailable' | 'unknown';
  readonly message: string;
}

/** A command that waits for its result. */
export interface QueuedWrite {
  readonly command: Command;
  readonly weight: CommandWeight;
  readonly resolve: (result: CommandResult<Command>) => void;
  readonly reject: (error: Error) => void;
}

/** The commands of one account. */
interface Lane {
  /** Not in a batch yet, oldest first. */
  waiting: QueuedWrite[];
  unanswered: number;
  octets: number;
  /** The cost that the account may still have decided in this turn; negative after a costly command. */
  credit: number;
  /** Held lanes are skipped. */
  held: boolean;
}

/**
 * The commands of one store that wait for a batch. Accounts take turns, weighed by the cost of their commands; the commands
 * of one account stay in order. The limits include commands in a batch that are not answered yet.
 */
export class WriteQueue {
  /** Accounts with unanswered commands. */
  private readonly lanes = new Map<string, Lane>();
  /** Lanes with commands that may be taken; the next one is first. */
  private readonly turns = new Set<Lane>();
  private unanswered = 0;
  private queuedBytes = 0;
  private takeable = 0;

  /** The number of commands that are not answered yet. */
  get length(): number {
    return this.unanswered;
  }

  /** The number of commands that `take` can return. */
  get waitingCount(): number {
    return this.takeable;
  }

  /** The number of accounts that have commands to take. */
  get waitingAccounts(): number {
    return this.turns.size;
  }

  /** Rejects with StoreUnavailable if the queue is full. */
  add(command: Command, weight: CommandWeight): Promise<CommandResult<Command>> {
    return this.admit(command, weight, (write) => this.enqueue(write));
  }

  /**
   * Counts a command against the limits and passes it on; the caller must answer it, or enqueue it. Rejects with
   * StoreBusy if the queue is full.
   */
  admit(
    command: Command,
    weight: CommandWeight,
    begin: (write: QueuedWrite) => void,
  ): Promise<CommandResult<Command>> {
    const refusal = this.findRefusal(accountOf(command), weight);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const lane = this.laneOf(command);
      lane.unanswered++;
      lane.octets += weight.octets;
      this.unanswered++;
      this.queuedBytes += weight.octets;
      begin({ command, weight, resolve, reject });
    });
  }

  /** Adds an admitted command to the commands of its account that wait for a batch. */
  enqueue(write: QueuedWrite): void {
    const lane = this.laneOf(write.command);
    lane.waiting.push(write);
    if (lane.held) return;
    this.takeable++;
    this.turns.add(lane);
  }

  /** Takes waiting commands, at least one if any can be taken. The caller must answer them or put them back. */
  take(maxCommands: number, maxCost = Infinity): QueuedWrite[] {
    const taken: QueuedWrite[] = [];
    let cost = 0;
    for (const lane of this.turns) {
      lane.credit = Math.min(lane.credit + TURN_COST, TURN_COST);
      let count = 0;
      while (count < lane.waiting.length && lane.credit > 0) {
        if (taken.length >= maxCommands || (taken.length > 0 && cost >= maxCost)) break;
        const write = lane.waiting[count++];
        const own = costOf(write.weight);
        lane.credit -= own;
        cost += own;
        taken.push(write);
      }
      lane.waiting.splice(0, count);
      this.takeable -= count;
      // Visited again after all others: an iteration over a set reaches what is added meanwhile.
      this.turns.delete(lane);
      if (lane.waiting.length === 0) lane.credit = 0;
      else this.turns.add(lane);
      if (taken.length >= maxCommands || cost >= maxCost) break;
    }
    return taken;
  }

  /** Returns commands that were taken last; they are the next of their accounts. */
  putBack(writes: readonly QueuedWrite[]): void {
    for (const write of writes.toReversed()) {
      const lane = this.laneOf(write.command);
      lane.waiting.unshift(write);
      if (lane.held) continue;
      this.takeable++;
      this.turns.add(lane);
    }
  }

  /** Keeps the commands of an account waiting until `release`. */
  hold(command: Command): void {
    const lane = this.laneOf(command);
    if (lane.held) return;
    lane.held = true;
    if (this.turns.delete(lane)) this.takeable -= lane.waiting.length;
  }

  release(command: Command): void {
    const lane = this.laneOf(command);
    if (!lane.held) return;
    lane.held = false;
    this.takeable += lane.waiting.length;
    if (lane.waiting.length > 0) this.turns.add(lane);
  }

  /** @param reply undefined if the engine gave none, which is a bug */
  answer({ command, weight, resolve, reject }: QueuedWrite, reply: CommandReply | undefined): void {
    const account = accountOf(command);
    const lane = this.laneOf(command);
    lane.unanswered--;
    lane.octets -= weight.octets;
    if (lane.unanswered === 0) this.lanes.delete(account);
    this.unanswered--;
    this.queuedBytes -= weight.octets;
    try {
      resolve(resultOf(command, reply));
    } catch (error) {
      reject(error as Error);
    }
  }

  private findRefusal(account: string, { octets }: CommandWeight): StoreBusy | undefined {
    const lane = this.lanes.get(account);
    if (lane !== undefined) {
      const { unanswered } = lane;
      const isTooMuch = lane.octets + octets > MAX_ACCOUNT_BYTES;
      if (unanswered >= MAX_ACCOUNT_COMMANDS || (unanswered > 0 && isTooMuch))
        return new StoreBusy(`${unanswered} writes of this account are waiting already`);
    }
    const isTooMuch = this.unanswered > 0 && this.queuedBytes + octets > MAX_QUEUED_BYTES;
    if (this.unanswered < MAX_QUEUED_COMMANDS && !isTooMuch) return undefined;
    return new StoreBusy(`${this.unanswered} writes are waiting already`);
  }

  private laneOf(command: Command): Lane {
    const account = accountOf(command);
    let lane = this.lanes.get(account);
    if (lane === undefined) {
      lane = { waiting: [], unanswered: 0, octets: 0, credit: 0, held: false };
      this.lanes.set(account, lane);
    }
    return lane;
  }
}

/** The account whose turn a command takes. The first account is created by nobody. */
export function accountOf({ author }: Command): string {
  return author?.accountId ?? '';
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
    case 'busy':
      throw new StoreBusy(reply.message);
    case 'unknown':
      throw new CommitInDoubt(`it is unknown whether this was written: ${reply.message}`);
    case 'failed':
    case undefined:
      throw new Error(`deciding ${kind} failed: ${reply?.message ?? 'no answer'}`);
  }
}
