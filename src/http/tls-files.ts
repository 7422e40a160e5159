import { readFile, stat } from 'node:fs/promises';
import type { Log } from '../base/log.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseTlsPair, type TlsPair } from './tls-pair.ts';

export interface TlsFilePaths {
  readonly certificate: string;
  readonly key: string;
}

/** A chain of ten certificates takes some 20 kB. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A renewal may be followed by a look whether the new certificate is served. Reading two small files takes 0.2 ms. */
const LOOK_INTERVAL_MS = 2_000;

/** Everybody may read. A group is often needed: tools that renew certificates run as another user. */
const EVERYBODY_BIT = 0o004;

/** Reads both files and checks them. A problem is a sentence without a full stop. */
export async function readTlsPair(paths: TlsFilePaths): Promise<Parsed<TlsPair>> {
  const certificate = await readSmallFile('certificate', paths.certificate);
  if (!certificate.ok) return certificate;
  const key = await readSmallFile('key', paths.key);
  if (!key.ok) return key;
  const pair = parseTlsPair(certificate.value, key.value);
  if (pair.ok) return pair;
  return malformed(`${paths.certificate} and ${paths.key} cannot be used: ${pair.problem}`);
}

async function readSmallFile(name: string, path: string): Promise<Parsed<string>> {
  const refuse = (reason: string) => malformed(`the ${name} file ${path} cannot be read (${reason})`);
  try {
    const found = await stat(path);
    if (!found.isFile()) return refuse('it is not a file');
    if (found.size > MAX_FILE_BYTES) return refuse(`it is larger than ${MAX_FILE_BYTES} bytes`);
    return parsed(await readFile(path, 'utf8'));
  } catch (error) {
    return refuse((error as NodeJS.ErrnoException).code ?? String(error));
  }
}

/**
 * Follows the files of a certificate and its key. Looks at their content at an interval instead of waiting for notices of
 * the file system: those get lost where a link on the way is replaced, as certbot and Kubernetes do, and on network file
 * systems. Files that cannot be used change nothing: the pair before them stays.
 */
export class TlsFiles {
  private readonly paths: TlsFilePaths;
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  private readonly listeners: ((pair: TlsPair) => void)[] = [];
  private pair: TlsPair | undefined;
  private failure: string | undefined;
  /** The last look has found this; two looks in a row make it a failure, because a renewal writes one file after the other. */
  private suspicion: string | undefined;
  private isLooking = false;

  private constructor(paths: TlsFilePaths, first: Parsed<TlsPair>, log: Log, intervalMs: number) {
    this.paths = paths;
    this.log = log;
    if (first.ok) this.pair = first.value;
    else this.failure = first.problem;
    this.timer = setInterval(() => void this.look(), intervalMs).unref();
  }

  /** Files that cannot be used now may be later. */
  static async open(paths: TlsFilePaths, log: Log, intervalMs = LOOK_INTERVAL_MS): Promise<TlsFiles> {
    const first = await readTlsPair(paths);
    if (first.ok) await warnOfOpenKey(paths.key, log);
    return new TlsFiles(paths, first, log, intervalMs);
  }

  /** Undefined until there were files that can be used. */
  get current(): TlsPair | undefined {
    return this.pair;
  }

  /** Why the files as they are now are not used, in a sentence without a full stop; undefined: they are. */
  get problem(): string | undefined {
    return this.failure;
  }

  /** @param listener called with each pair that replaces another, or none */
  onChange(listener: (pair: TlsPair) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // A network file system may take longer than the interval.
    if (this.isLooking) return;
    this.isLooking = true;
    const found = await readTlsPair(this.paths);
    this.isLooking = false;
    if (found.ok) this.take(found.value);
    else {
      if (found.problem === this.suspicion) this.failure = found.problem;
      this.suspicion = found.problem;
    }
  }

  private take(found: TlsPair): void {
    this.failure = this.suspicion = undefined;
    if (this.pair?.certificate === found.certificate && this.pair.key === found.key) return;
    this.pair = found;
    const validUntil = new Date(found.validToMs).toISOString();
    this.log.info({ validUntil }, 'the certificate of HTTPS has changed; new connections get it');
    for (const listener of this.listeners) listener(found);
    void warnOfOpenKey(this.paths.key, this.log);
  }
}

/** Windows has no such modes. */
async function warnOfOpenKey(path: string, log: Log): Promise<void> {
  if (process.platform === 'win32') return;
  // Its next look says what is wrong with a file that has just gone.
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && (found.mode & EVERYBODY_BIT) !== 0)
    log.warn({ path }, 'everybody on this machine can read the key of HTTPS: change the mode to 640');
}
