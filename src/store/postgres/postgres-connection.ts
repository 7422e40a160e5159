// A connection to the first suitable host of an address, with a time limit on every wait, so that nothing that hangs on
// either side blocks others. Knows no table.
import { readFileSync } from 'node:fs';
import { rootCertificates, type ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { StoreOpenError } from '../store.ts';
import { NO_FALLBACK, withAdvice, withholdPassword, type Protection } from './password-protection.ts';
import {
  formatPostgresAddress,
  isOnThisMachine,
  sslModeFor,
  type PostgresAddress,
  type PostgresHost,
  type SslMode,
} from './postgres-address.ts';
import {
  isLoginFailure,
  messageOf,
  PasswordWithheld,
  sqlState,
  toConnectionError,
} from './postgres-errors.ts';
import { LoginRefused, StoreUnavailable } from '../../writes/store-errors.ts';

/** Limits that the server enforces, even if this process is frozen or disconnected. */
export interface SessionLimits {
  readonly statementMs: number;
  /** Must not exceed `statementMs`. */
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

export type PostgresValue =
  null | boolean | number | string | Uint8Array | readonly (null | boolean | number | string | Uint8Array)[];

export interface Statement {
  /** A constant text, because each text is prepared once per connection; unless `isOnce`. */
  readonly text: string;
  readonly values?: readonly PostgresValue[];
  /** The text is not prepared, because it is another one each time. */
  readonly isOnce?: boolean;
}

export interface StatementResult<Row = readonly unknown[]> {
  /** The command that the server reports: a COMMIT of a failed transaction is answered with `ROLLBACK`. */
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Row[];
}

/** Time after which a host that drops packets is given up: three attempts of TCP. */
export const CONNECT_TIMEOUT_MS = 3000;

/** If a statement is not answered so long after the limit of the server, the socket is dead and the connection is closed. */
const ANSWER_MARGIN_MS = 2000;

/** A peer that acknowledges nothing for so long is gone (tcp_user_timeout, keep-alive); well within the limit of a batch. */
const DEAD_PEER_MS = 8000;

const KEEP_ALIVE_SECONDS = 5;

const OLDEST_SERVER_VERSION = 140_000;

/** @throws StoreUnavailable if no host is suitable; StoreOpenError if the server is too old */
export async function connectPostgres(
  address: PostgresAddress,
  limits: SessionLimits,
): Promise<PostgresConnection> {
  const reasons: string[] = [];
  let isRefused = false;
  for (const host of address.hosts) {
    try {
      return await connectHost(address, host, limits);
    } catch (error) {
      if (error instanceof StoreOpenError) throw error;
      isRefused ||= isLoginFailure(error);
      reasons.push(`${host.host}:${host.port}: ${messageOf(error)}`);
    }
  }
  const Failure = isRefused ? LoginRefused : StoreUnavailable;
  throw new Failure(
    `no connection to ${formatPostgresAddress(address)} could be opened (${reasons.join('; ')})`,
  );
}

export class PostgresConnection {
  private readonly client: pg.Client;
  /** By text. */
  private readonly names = new Map<string, string>();
  private open = true;
  private readonly ended: Promise<void>;
  private pending = 0;
  private pooled = false;

  /** @param client connected */
  constructor(client: pg.Client) {
    this.client = client;
    this.ended = new Promise((resolve) => {
      client.on('end', () => {
        this.open = false;
        resolve();
      });
    });
    client.on('error', () => {
      this.open = false;
    });
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** True if a pooler is between this process and the server: it gives its clients ids of its own. */
  get isPooled(): boolean {
    return this.pooled;
  }

  /** @param backendPid the process of the server, as it says itself */
  notePid(backendPid: number): void {
    const { processID } = this.client as unknown as { readonly processID: number | null };
    this.pooled = processID !== backendPid;
  }

  /** Number of statements that are not answered yet. */
  get pendingCount(): number {
    return this.pending;
  }

  /** Sends the statement immediately, behind those in progress. Rejects with the error of the driver. */
  query<Row = readonly unknown[]>(
    text: string,
    values: readonly PostgresValue[] = [],
  ): Promise<StatementResult<Row>> {
    return this.send<Row>({ text, values });
  }

  /** Like `query`. */
  async send<Row = readonly unknown[]>({
    text,
    values = [],
    isOnce = false,
  }: Statement): Promise<StatementResult<Row>> {
    this.pending++;
    try {
      const result = await this.client.query<unknown[]>({
        ...(isOnce ? {} : { name: this.nameOf(text) }),
        text,
        values: values as unknown[],
        rowMode: 'array',
      });
      return { command: result.command, rowCount: result.rowCount ?? 0, rows: result.rows as Row[] };
    } catch (error) {
      throw toConnectionError(error);
    } finally {
      this.pending--;
    }
  }

  /** Sends all statements in one round trip; rejects with the first error when all are answered. */
  async pipeline(statements: readonly Statement[]): Promise<StatementResult[]> {
    const sent = statements.map((statement) => this.send(statement));
    const settled = await Promise.allSettled(sent);
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  onNotification(listener: () => void): void {
    this.client.on('notification', listener);
  }

  /** Closes immediately; statements in progress are rejected. */
  destroy(): void {
    this.open = false;
    this.client.connection.stream.destroy();
  }

  /** Closes after the statements in progress. */
  async close(): Promise<void> {
    if (!this.open) return;
    this.open = false;
    const giveUp = setTimeout(() => this.destroy(), ANSWER_MARGIN_MS);
    await this.client.end();
    await this.ended;
    clearTimeout(giveUp);
  }

  private nameOf(text: string): string {
    let name = this.names.get(text);
    if (name === undefined) {
      name = `s${this.names.size}`;
      this.names.set(text, name);
    }
    return name;
  }
}

async function connectHost(
  address: PostgresAddress,
  host: PostgresHost,
  limits: SessionLimits,
): Promise<PostgresConnection> {
  const mode = sslModeFor(address, host);
  const isLocal = isOnThisMachine(host);
  if (mode === 'disable') return await openSession(address, host, limits, isLocal ? 'open' : 'unasked');
  try {
    return await openSession(address, host, limits, 'encrypted');
  } catch (error) {
    if (address.ssl.mode === 'automatic' && !isLocal) throw withAdvice(error);
    if (mode !== 'prefer' || !messageOf(error).includes('does not support SSL')) throw error;
    if (isLocal) return await openSession(address, host, limits, 'open');
    if (address.password !== undefined) throw new PasswordWithheld(NO_FALLBACK);
    return await openSession(address, host, limits, 'fallen back');
  }
}

async function openSession(
  address: PostgresAddress,
  { host, port }: PostgresHost,
  limits: SessionLimits,
  protection: Protection,
): Promise<PostgresConnection> {
  const client = new pg.Client({
    host,
    port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl:
      protection === 'encrypted' && !host.startsWith('/')
        ? tlsOptions(address, sslModeFor(address, { host, port }))
        : false,
    application_name: address.applicationName,
    options: address.options,
    types: { getTypeParser } as unknown as pg.CustomTypesConfig,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
    query_timeout: limits.statementMs + ANSWER_MARGIN_MS,
  });
  withholdPassword(client, protection);
  const connection = new PostgresConnection(client);
  const timer = setTimeout(
    () => client.connection.stream.destroy(new Error('no answer in time')),
    address.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  );
  try {
    await client.connect();
    await startSession(connection, address, limits);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Statements are planned for the current values and table sizes each time (some 50 µs), and sequential scans are off, so a
 * plan made for small tables is not kept when they have grown. JIT compilation is off: the cost that `enable_seqscan = off`
 * adds to reading the one row of `counters` would trigger it for each batch, at some 100 ms.
 */
const START_STATEMENT = `
  SELECT current_setting('server_version_num')::int, pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
    set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false), set_config('tcp_user_timeout', $4, false),
    set_config('tcp_keepalives_idle', $5, false), set_config('tcp_keepalives_interval', $5, false),
    set_config('plan_cache_mode', 'force_custom_plan', false), set_config('enable_seqscan', 'off', false),
    set_config('jit', 'off', false), pg_backend_pid()`;

async function startSession(
  connection: PostgresConnection,
  address: PostgresAddress,
  { statementMs, lockMs, idleInTransactionMs }: SessionLimits,
): Promise<void> {
  const settings = [statementMs, lockMs, idleInTransactionMs, DEAD_PEER_MS, KEEP_ALIVE_SECONDS];
  const [row] = await startStatement(connection, address, settings.map(String));
  const [version, inRecovery, readOnly] = row;
  connection.notePid(Number(row.at(-1)));
  if (version < OLDEST_SERVER_VERSION) {
    const major = Math.floor(version / 10_000);
    throw new StoreOpenError(
      `${formatPostgresAddress(address)} is PostgreSQL ${major}, and Zonewright needs 14 or newer`,
    );
  }
  if (address.targetSession === 'read-write' && (inRecovery || readOnly)) {
    throw new Error('the server is read-only');
  }
}

type StartRow = [version: number, inRecovery: boolean, readOnly: boolean, ...settings: unknown[]];

/** A pooler by transaction may send a prepared statement to a server session that does not have it, or has another. */
async function startStatement(
  connection: PostgresConnection,
  address: PostgresAddress,
  settings: readonly string[],
): Promise<StartRow[]> {
  try {
    return (await connection.query<StartRow>(START_STATEMENT, settings)).rows;
  } catch (error) {
    const isForeign = ['42P05', '26000', '08P01'].includes(sqlState(error) ?? '');
    throw isForeign ? transactionPooling(address) : error;
  }
}

export function transactionPooling(address: PostgresAddress): StoreOpenError {
  return new StoreOpenError(
    `${formatPostgresAddress(address)} is a connection pooler that pools by transaction; Zonewright needs sessions of its own: connect to PostgreSQL itself, or choose pooling by session (PgBouncer: pool_mode = session)`,
  );
}

function tlsOptions({ ssl }: PostgresAddress, mode: SslMode): ConnectionOptions {
  const { rootCertFile, certFile, keyFile } = ssl;
  const checksChain = mode === 'verify-ca' || mode === 'verify-full' || rootCertFile !== undefined;
  return {
    rejectUnauthorized: checksChain,
    ca: rootCertFile === undefined || rootCertFile === 'system' ? [...rootCertificates] : read(rootCertFile),
    ...(certFile === undefined ? {} : { cert: read(certFile) }),
    ...(keyFile === undefined ? {} : { key: read(keyFile) }),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Reads the files for every connection, so that renewed certificates are used. */
function read(path: string): Buffer {
  return readFileSync(path);
}

const INT8 = 20;
const BYTEA = 17;

/** Counts and times stay below 2^53. Octets are copied, so that they do not keep a shared buffer alive. */
function getTypeParser(oid: number, format?: 'text'): (text: string) => unknown {
  if (oid === INT8) return Number;
  if (oid === BYTEA) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  return usualTypeParser(oid, format);
}

const usualTypeParser = pg.types.getTypeParser as (oid: number, format?: 'text') => (text: string) => unknown;
