import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Log } from './log.ts';
import { startWorker } from './start-worker.ts';

export interface WorkerThreadOptions extends WorkerOptions {
  /** As for `startWorker`. The thread's first message means that it is ready, and is not passed on. */
  readonly module: URL;
  /** Name of the thread in log lines. */
  readonly name: string;
  readonly log: Log;
}

/** The main thread's handle of a worker thread: starts it, exchanges messages with it and reports its end. */
export class WorkerThread<To, From> {
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private wasAsked = false;

  /** Resolves when the thread is ready. */
  static async start<To, From>(options: WorkerThreadOptions): Promise<WorkerThread<To, From>> {
    const worker = startWorker(options.module, options);
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error(`the ${options.name} thread ended before it was ready`)));
    });
    return new WorkerThread(worker, options);
  }

  private constructor(worker: Worker, { name, log }: WorkerThreadOptions) {
    this.worker = worker;
    worker.on('error', (error) => log.error({ err: error }, `the ${name} thread failed`));
    this.ended = new Promise((resolve) => worker.on('exit', () => resolve()));
  }

  /** @param onEnd called when the thread has ended; `wasAsked` is true if it was told to, and false after a failure */
  listen(onMessage: (message: From) => void, onEnd: (wasAsked: boolean) => void): void {
    this.worker.on('message', onMessage);
    this.worker.on('exit', () => onEnd(this.wasAsked));
  }

  post(message: To): void {
    this.worker.postMessage(message);
  }

  /** Resolves when the thread has ended. @param message tells the thread to end; sent only once */
  close(message: To): Promise<void> {
    if (!this.wasAsked) this.post(message);
    this.wasAsked = true;
    return this.ended;
  }
}
