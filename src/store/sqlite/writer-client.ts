import type { Worker } from 'node:worker_threads';
import type { Log } from '../../base/log.ts';
import { startWorker } from '../../base/start-worker.ts';
import type { Command, CommandOutcome } from '../../model/command.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import { StoreUnavailable } from '../store.ts';
import type { StoreObserver } from '../store-observer.ts';
import type { WriteResult } from './sqlite-writer.ts';
import {
  decodeResults,
  encodeCommands,
  type FromWriter,
  type ToWriter,
  type WriterData,
} from './writer-messages.ts';

/** Commands sent and not yet answered: half a second's work. Beyond it a caller is better off asked to come again. */
export const MAX_QUEUED_COMMANDS = 8192;

/** Octets of record data in them: keeps the queue's memory within some 200 MB, also with the longest TXT records. */
export const MAX_QUEUED_BYTES = 32 * 1024 * 1024;

interface WriterClientOptions {
  readonly path: string;
  /** Called with each batch's updates, before its callers are answered. Must not throw. */
  readonly onUpdates: (updates: readonly ZoneUpdate[]) => void;
  readonly log: Log;
  readonly observer: StoreObserver;
}

interface Waiting {
  readonly command: Command;
  readonly sizeBytes: number;
  readonly resolve: (outcome: CommandOutcome<Command>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The main thread's end of the writer thread: collects the commands of one turn of the event loop into one message, and
 * hands each batch's results on in the order: listener first, then callers. Never decides anything.
 */
export class WriterClient {
  private readonly worker: Worker;
  private readonly log: Log;
  private readonly onUpdates: (updates: readonly ZoneUpdate[]) => void;
  private readonly observer: StoreObserver;
  /** Sent or about to be sent, oldest first. */
  private readonly queue: Waiting[] = [];
  private queuedBytes = 0;
  /** The last ones of the queue. */
  private unsent: Command[] = [];
  private state: 'open' | 'closing' | 'ended' = 'open';
  private readonly ended: Promise<void>;

  private constructor(worker: Worker, { onUpdates, log, observer }: WriterClientOptions) {
    this.worker = worker;
    this.onUpdates = onUpdates;
    this.log = log;
    this.observer = observer;
    worker.on('message', (message: FromWriter) => this.receive(message));
    worker.on('error', (error) => this.log.error({ err: error }, 'the writer thread failed'));
    this.ended = new Promise((resolve) => worker.on('exit', () => resolve(this.end())));
  }

  /** Resolves when the writer has its connection open. */
  static async start(options: WriterClientOptions): Promise<WriterClient> {
    const workerData: WriterData = { path: options.path };
    const worker = startWorker(new URL('./sqlite-writer-worker.ts', import.meta.url), { workerData });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    return new WriterClient(worker, options);
  }

  /** Commands that are not answered yet. */
  get queueLength(): number {
    return this.queue.length;
  }

  write(command: Command): Promise<CommandOutcome<Command>> {
    if (this.state !== 'open')
      return refuse(`the store is ${this.state === 'closing' ? 'closing' : 'closed'}`);
    const sizeBytes = sizeOf(command);
    if (this.queue.length >= MAX_QUEUED_COMMANDS || this.queuedBytes + sizeBytes > MAX_QUEUED_BYTES) {
      return refuse(`${this.queue.length} writes are waiting already`);
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ command, sizeBytes, resolve, reject });
      this.queuedBytes += sizeBytes;
      if (this.unsent.push(command) === 1) setImmediate(() => this.send());
    });
  }

  /** Lets the writer tidy up what time has made superfluous. */
  hintUpkeep(nowMs: number, historyStartMs: number): void {
    if (this.state === 'open') this.post({ kind: 'upkeep', nowMs, historyStartMs });
  }

  /** Answers what is queued, then ends the thread. */
  close(): Promise<void> {
    if (this.state === 'open') {
      this.state = 'closing';
      this.send();
      this.post({ kind: 'close' });
    }
    return this.ended;
  }

  private send(): void {
    if (this.unsent.length === 0 || this.state === 'ended') return;
    const text = encodeCommands(this.unsent);
    this.unsent = [];
    this.post({ kind: 'commands', text });
  }

  private receive(message: FromWriter): void {
    if (message.kind === 'results') this.settle(message.text, message.commitMs);
    else if (message.kind === 'trouble') this.log.warn(message, 'the writer thread met trouble');
  }

  private settle(text: string, commitMs: number): void {
    const { results, updates } = decodeResults(text, (index) => this.queue[index]?.command);
    const answered = this.queue.splice(0, results.length);
    const lost = results.find(({ kind }) => kind === 'unavailable');
    if (lost !== undefined) this.log.error(lost, 'a batch of writes could not be committed');
    else this.observer.batchCommitted(results.length, commitMs);
    if (updates.length > 0) this.onUpdates(updates);
    for (const [index, waiting] of answered.entries()) {
      this.queuedBytes -= waiting.sizeBytes;
      this.answer(waiting, results[index]);
    }
  }

  private answer({ command, resolve, reject }: Waiting, result: WriteResult | undefined): void {
    switch (result?.kind) {
      case 'decided':
        return resolve(result.outcome);
      case 'unavailable':
        return reject(new StoreUnavailable(`the store cannot be written: ${result.message}`));
      case 'failed':
      case undefined:
        return reject(new Error(`deciding ${command.kind} failed: ${result?.message ?? 'no answer'}`));
    }
  }

  /**
   * Ended before it was told to, by a bug of ours, nobody knows whether what was under way is committed. So nobody is
   * answered: the process ends, its clients see the connection go and repeat themselves.
   */
  private end(): void {
    const expected = this.state === 'closing';
    this.state = 'ended';
    if (!expected) throw new Error('the writer thread ended by itself');
  }

  private post(message: ToWriter): void {
    this.worker.postMessage(message);
  }
}

function refuse(reason: string): Promise<never> {
  return Promise.reject(new StoreUnavailable(reason));
}

/** Text counts twice: as it is and as wire data. */
function sizeOf(command: Command): number {
  if (command.kind === 'createRecord') return command.record.data.length * 2;
  return command.kind === 'updateRecord' ? (command.patch.data ?? '').length * 2 : 0;
}
