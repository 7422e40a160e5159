// Role `both`: a parent that does no work itself, and two children.
//
//   parent ─┬─ http         store, HTTP     ── link ──┐   its writes are answered when the nameserver serves them
//           └─ nameserver   zones, DNS      ◀─────────┘   answers without the other one
//
// Either child can end at any moment: the other one goes on, and the parent starts a successor on the same sockets. If the
// parent itself ends, its children end at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import type { HttpAddress } from '../http/http-address.ts';
import { MAX_SOCKET_PATH } from '../http/socket-file.ts';
import { announce, formatAddresses } from './announce.ts';
import type { ActivatedSockets } from './activated-sockets.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import type { FromChild } from './child-messages.ts';
import { wakePathOf } from './link-messages.ts';
import type { ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';
import { headStart } from './head-start.ts';
import { httpHeapMb } from './http-heap.ts';
import { openServiceSockets, passDns, passHttp, type ServiceSockets } from './service-sockets.ts';
import { describeStartFailure } from './start-failure.ts';
import { SupervisedChild, type SupervisedChildOptions } from './supervised-child.ts';

export interface FamilyOptions {
  readonly config: Config;
  readonly sockets: ActivatedSockets;
  readonly log: Logger;
  readonly terminal: Terminal;
  /** Aborted by a stop signal. */
  readonly stopping: AbortSignal;
}

/** A service of two processes. */
export class Family {
  private readonly options: FamilyOptions;
  private readonly children: SupervisedChild[] = [];
  private onAnswering: () => void = () => undefined;
  /** Resolves when the nameserver process answers for the first time. */
  private readonly answering = new Promise<void>((resolve) => (this.onAnswering = resolve));
  private folder: string | undefined;
  private http: HttpAddress | undefined;
  private https: ListenAddress | undefined;
  private dns: readonly ListenAddress[] | undefined;
  private adminKey: AdminKey | undefined;
  private wasServing = false;
  private wasReady = false;

  constructor(options: FamilyOptions) {
    this.options = options;
  }

  /** Ends the children at once, and removes the folder of their link. */
  kill(): void {
    for (const child of this.children) child.kill();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs until the stop signal.
   *
   * @throws CommandFailure with one sentence if the service cannot start
   */
  async run(): Promise<void> {
    const { config, sockets: activated, log, stopping } = this.options;
    const sockets = await openSockets(config, activated, log);
    if (stopping.aborted) return;
    this.folder = makeLinkFolder(config.data);
    try {
      await this.runChildren(sockets, linkPath(this.folder), stopping);
    } finally {
      this.kill();
      sockets.closeHttp();
      sockets.closeDns();
    }
  }

  private async runChildren(sockets: ServiceSockets, link: string, stopping: AbortSignal): Promise<void> {
    const { log } = this.options;
    const stopped = new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
    const nameserver = this.start({
      name: 'nameserver',
      // It only copies signatures: what opens the keys stays where writes are decided.
      config: () => ({ ...this.configNow(), dnssecSecret: null }),
      link,
      passed: passDns(sockets),
      log,
      onMessage: (message) => this.takeFromNameserver(message),
    });
    await Promise.race([stopped, nameserver.failed, headStart(this.answering)]);
    const http = stopping.aborted
      ? undefined
      : this.start({
          name: 'http',
          config: () => this.configNow(),
          link,
          heapMb: httpHeapMb(this.options.config),
          passed: passHttp(sockets),
          log,
          onMessage: (message) => this.takeFromHttp(message),
        });
    if (http !== undefined) await Promise.race([stopped, nameserver.failed, http.failed]);
    sockets.closeHttp();
    await http?.stop();
    await nameserver.stop();
  }

  private start(options: SupervisedChildOptions): SupervisedChild {
    const child = new SupervisedChild(options);
    this.children.push(child);
    return child;
  }

  /** With the ports that were found free at the first start. */
  private configNow(): Config {
    const { config } = this.options;
    const { http = config.http, https = config.https, dns = config.dns } = this;
    return { ...config, http, https, dns };
  }

  private takeFromNameserver(message: FromChild): void {
    if (message.kind === 'serving') {
      this.dns ??= message.dns;
      this.onAnswering();
    }
    this.report();
  }

  private takeFromHttp(message: FromChild): void {
    if (message.kind === 'serving') {
      this.http ??= message.http;
      this.https ??= message.https;
    }
    if (message.kind === 'ready') this.adminKey ??= message.adminKey;
    this.report();
  }

  /** Once each, whatever is started again later. */
  private report(): void {
    const { config, log, terminal } = this.options;
    const { http, https, dns, adminKey } = this;
    if (http === undefined || dns === undefined) return;
    if (!this.wasServing) log.info(formatAddresses({ http, https, dns }), 'serving');
    this.wasServing = true;
    if (adminKey === undefined || this.wasReady) return;
    this.wasReady = true;
    announce({ http, https, dns, adminKey }, config, log, terminal);
  }
}

async function openSockets(
  config: Config,
  activated: ActivatedSockets,
  log: Logger,
): Promise<ServiceSockets> {
  try {
    return await openServiceSockets(config, activated, log);
  } catch (error) {
    const sentence = describeStartFailure(error);
    if (sentence === undefined) throw error;
    throw new CommandFailure(exitCodes.failed, sentence, { cause: error });
  }
}

/** A private folder with a short path: where temporary files go, or, in a container without such a place, the data folder. */
function makeLinkFolder(data: string): string {
  for (const place of [tmpdir(), '/tmp', data]) {
    try {
      const folder = mkdtempSync(join(place, 'zonewright-'));
      if (wakePathOf(linkPath(folder)).length <= MAX_SOCKET_PATH) return folder;
      rmSync(folder, { recursive: true });
    } catch {
      // Try the next place.
    }
  }
  throw new CommandFailure(exitCodes.failed, `no folder for a socket can be made in ${tmpdir()} or ${data}`);
}

function linkPath(folder: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\${folder.replaceAll(/\W/g, '-')}`
    : join(folder, 'link');
}
