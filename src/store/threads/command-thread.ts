import type { ResourceLimits } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { runInSteps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import type { CommandReply } from '../../writes/write-queue.ts';
import { encodeCommand } from './command-messages.ts';
import { PieceSender } from './packed-list.ts';
import { decodeResults } from './result-messages.ts';
import { ThreadOnDemand } from './thread-on-demand.ts';

/** A long list is sent ahead of its message; see packed-list.ts. */
export interface PieceMessage {
  readonly kind: 'piece';
  readonly text: string;
}

/** Each command thread gets this in its `workerData`, besides its own data. */
export interface CommandThreadData {
  /** One element, 1 if the client of the command has gone. */
  readonly gone: Int32Array;
}

interface CommandThreadOptions {
  readonly module: URL;
  readonly name: string;
  readonly workerData: object;
  readonly resourceLimits: ResourceLimits;
  readonly log: Log;
}

interface Pending<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that works on one command at a time. If it crashes, the command fails with StoreUnavailable, and the next one
 * starts a new thread.
 */
export class CommandThread<To, Answer extends { readonly kind: string }> {
  private readonly name: string;
  private readonly thread: ThreadOnDemand<To | PieceMessage, Answer | PieceMessage>;
  private readonly gone = new Int32Array(new SharedArrayBuffer(4));
  private pending: Pending<Answer> | undefined;
  private pieces: string[] = [];

  constructor({ workerData, ...options }: CommandThreadOptions) {
    this.name = options.name;
    this.thread = new ThreadOnDemand({
      ...options,
      workerData: { ...workerData, gone: this.gone },
      onMessage: (message) => this.receive(message),
      onEnd: () => this.end(),
    });
  }

  /** True if the client of the command that `forClient` runs has gone. */
  get isClientGone(): boolean {
    return Atomics.load(this.gone, 0) === 1;
  }

  /** Runs the work on one command; the thread learns when its client goes. */
  async forClient<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const stop = (): void => void Atomics.store(this.gone, 0, 1);
    Atomics.store(this.gone, 0, signal?.aborted === true ? 1 : 0);
    signal?.addEventListener('abort', stop);
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Sends the long lists of a command. Returns the rest, for the message that begins the work: a JSON list of one command. */
  async send(command: Command): Promise<string> {
    const thread = await this.thread.get();
    const sender = new PieceSender((text) => thread.post({ kind: 'piece', text }));
    return `[${await runInSteps(encodeCommand(command, sender))}]`;
  }

  /** Resolves with the next answer. @throws StoreUnavailable if the thread ends before */
  async ask(message: To): Promise<Answer> {
    const thread = await this.thread.get();
    return await new Promise<Answer>((resolve, reject) => {
      this.pending = { resolve, reject };
      thread.post(message);
    });
  }

  /** @param text a JSON list of one encoded result, whose long lists have arrived */
  async decode(command: Command, text: string): Promise<CommandReply> {
    const { pieces } = this;
    this.pieces = [];
    const [reply] = await runInSteps(decodeResults(text, pieces, () => command));
    return reply;
  }

  /** @param message makes the thread end */
  close(message: To): Promise<void> {
    return this.thread.close(message);
  }

  private receive(message: Answer | PieceMessage): void {
    if (isPiece(message)) this.pieces.push(message.text);
    else this.pending?.resolve(message);
  }

  private end(): void {
    this.pieces = [];
    this.pending?.reject(new StoreUnavailable(`the ${this.name} thread failed`));
  }
}

function isPiece(message: { readonly kind: string }): message is PieceMessage {
  return message.kind === 'piece';
}
