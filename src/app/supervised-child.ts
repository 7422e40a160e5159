import { fork, type ChildProcess } from 'node:child_process';
import module from 'node:module';
import { entryModule } from '../base/entry-module.ts';
import type { Log } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { FromChild, ProcessName, ToChild } from './child-messages.ts';
import { settings, type Config } from './config-settings.ts';
import type { Setting } from './setting.ts';
import type { PassedSockets } from './service-sockets.ts';
import { SilenceWatch } from './silence-watch.ts';

/** A child that has just started is replaced at once, then after a pause that doubles each time. */
const FIRST_PAUSE_MS = 50;

/** Longer pauses would spare nothing: a start takes half a second of one processor. */
const LONGEST_PAUSE_MS = 2000;

/** A child that ran for so long is replaced as if it were the first. */
const STEADY_AFTER_MS = 5000;

export interface SupervisedChildOptions {
  readonly name: ProcessName;
  /** Called for each start: with port 0, a successor must use its predecessor's port. */
  readonly config: () => Config;
  readonly link: string;
  /** The most memory of the JavaScript heap of its main thread, in MB; undefined: Node's default. */
  readonly heapMb?: number;
  readonly passed: PassedSockets;
  readonly log: Log;
  /** Called with each message of the child and of its successors, except `failed` and `alive`. */
  readonly onMessage: (message: ChildNews) => void;
}

/** The messages that concern the whole service. */
export type ChildNews = Exclude<FromChild, { readonly kind: 'failed' | 'alive' }>;

/** One child process and its successors. What one of them cannot do the next one tries again, except before the first is ready. */
export class SupervisedChild {
  /** Rejects with CommandFailure if the first child cannot start. */
  readonly failed: Promise<never>;
  private readonly options: SupervisedChildOptions;
  private child: ChildProcess | undefined;
  private successor: NodeJS.Timeout | undefined;
  private rejectStart: (error: CommandFailure) => void = () => undefined;
  private onEnded: (() => void) | undefined;
  private wasServing = false;
  private wasReady = false;
  private isStopping = false;
  /** Ends in a row without a steady run between them. */
  private failures = 0;

  constructor(options: SupervisedChildOptions) {
    this.options = options;
    this.failed = new Promise((_, reject) => (this.rejectStart = reject));
    // It may reject before anybody waits for it.
    this.failed.catch(() => undefined);
    this.launch();
  }

  /** Asks the child to end, and starts no other one. Resolves when it has ended. */
  stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.successor);
    const { child } = this;
    if (child === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.onEnded = resolve;
      this.send(child, { kind: 'stop' });
    });
  }

  kill(): void {
    this.isStopping = true;
    clearTimeout(this.successor);
    this.child?.kill('SIGKILL');
  }

  private launch(): void {
    const { name, config, link, passed, heapMb } = this.options;
    const child = fork(entryModule(new URL('./service-child.ts', import.meta.url)), [name], {
      stdio: ['ignore', 'ignore', 'inherit', ...passed.descriptors, 'ipc'],
      serialization: 'advanced',
      ...(heapMb !== undefined && {
        execArgv: [...process.execArgv, `--max-old-space-size=${heapMb}`],
      }),
      env: { ...withoutSecrets(process.env), ...sharedCodeCache() },
    });
    this.child = child;
    const startedMs = performance.now();
    let problem: string | undefined;
    let watch: SilenceWatch | undefined;
    const end = (how: string): void => {
      watch?.stop();
      this.child = undefined;
      this.replace(problem ?? how, performance.now() - startedMs);
    };
    child.on('message', (message: FromChild) => {
      watch?.heard();
      // Until then, the process only starts, which may take long.
      if (message.kind === 'alive') watch ??= new SilenceWatch(() => this.endSilent(child));
      else if (message.kind === 'failed') {
        problem = message.sentence;
        this.fail(message.exitCode, message.sentence);
      } else this.note(message);
    });
    child.on('error', (error) => {
      this.options.log.error({ err: error, child: name }, 'a process failed');
      // It could not be started, so it will not exit.
      if (child.pid === undefined) end('no process');
    });
    child.on('exit', (code, signal) => end(signal ?? `exit code ${String(code)}`));
    this.send(child, { kind: 'start', process: name, config: config(), link, sockets: passed.sockets });
  }

  private note(message: ChildNews): void {
    this.wasServing ||= message.kind === 'serving';
    this.wasReady ||= message.kind === 'ready';
    this.options.onMessage(message);
  }

  private fail(exitCode: number, sentence: string): void {
    if (!this.wasReady) this.rejectStart(new CommandFailure(exitCode, sentence));
  }

  private endSilent(child: ChildProcess): void {
    const { name, log } = this.options;
    log.error({ child: name }, 'a process of the service hangs; ending it');
    child.kill('SIGKILL');
  }

  private replace(how: string, livedMs: number): void {
    const { name, log } = this.options;
    this.onEnded?.();
    if (this.isStopping) return;
    if (!this.wasServing) {
      this.fail(exitCodes.failed, `the ${name} process ended while it started (${how})`);
      return;
    }
    if (livedMs >= STEADY_AFTER_MS) this.failures = 0;
    const pauseMs = pauseAfter(this.failures++);
    log.error({ child: name, cause: how, pauseMs }, 'a process of the service ended; starting another');
    this.successor = setTimeout(() => this.launch(), pauseMs);
  }

  /** A child that is ending may have closed the channel. */
  private send(child: ChildProcess, message: ToChild): void {
    if (child.connected) child.send(message, () => undefined);
  }
}

/** None after the first failure, then doubling. */
function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

const secretVariables: ReadonlySet<string> = new Set(
  Object.values<Setting<unknown>>(settings).flatMap(({ isSecret, environment }) =>
    isSecret === true ? [environment] : [],
  ),
);

/** A child gets the settings that it needs in its first message. */
function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secretVariables.has(name)));
}

/** The code that the program's first process has compiled. */
function sharedCodeCache(): Record<string, string> {
  // Since Node 22.8, which the types of the oldest supported Node do not know.
  const { getCompileCacheDir } = module as { readonly getCompileCacheDir?: () => string | undefined };
  const folder = getCompileCacheDir?.();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
