// Parses PostgreSQL connection URLs (PostgreSQL manual, 34.1.1.2). Opens no connection and reads no file that a URL names.
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';

export interface PostgresAddress {
  /** Tried in this order. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly ssl: PostgresSsl;
  /** `read-write`: a standby is skipped and the next host is tried. */
  readonly targetSession: 'any' | 'read-write';
  readonly applicationName: string;
  /** Limit for each host; undefined: the default of the store. */
  readonly connectTimeoutMs: number | undefined;
  /** Command-line options for the server's session, e.g. `-c search_path=zonewright`. */
  readonly options: string | undefined;
}

export interface PostgresHost {
  /** A name, an address, or the folder of a Unix socket (begins with `/`). */
  readonly host: string;
  readonly port: number;
}

export interface PostgresSsl {
  /**
   * `automatic`, the default, is `prefer` on this machine and `verify-full` elsewhere. `prefer` and `require` do not check the certificate (`require` does if there is a `rootCertFile`), `verify-ca` not its name.
   */
  readonly mode: SslMode | 'automatic';
  /** PEM files; the root `system` means the certificates bundled with Node. */
  readonly rootCertFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

const SESSION_TARGETS = ['any', 'read-write'] as const;

const DEFAULT_PORT = 5432;

/** More hosts than any cluster has; each may cost a connect timeout. */
const MAX_HOSTS = 16;

/** `connect_timeout`, in seconds. */
const MAX_CONNECT_TIMEOUT_SECONDS = 60;

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

const parameterNames = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['target_session_attrs', 'application_name', 'connect_timeout', 'options'],
];

/** Returns the address or one sentence, which never repeats the URL because it may hold a password. */
export function parsePostgresUrl(text: string): Parsed<PostgresAddress> {
  const parts = SHAPE.exec(text);
  if (parts === null) {
    return malformed(
      'a PostgreSQL URL has the form postgres://user:password@host:5432/database, with @ : / ? # % in user and password as %40 %3A %2F %3F %23 %25',
    );
  }
  const [, userInfo = '', hostList = '', path = '', query = ''] = parts;
  const [userText = '', ...passwordTexts] = userInfo.split(':');
  const [user, password, database] = [userText, passwordTexts.join(':'), path].map(decodePercent);
  if (user === undefined || password === undefined || database === undefined) {
    return malformed('the PostgreSQL URL has a % that is not followed by two hex digits of UTF-8 text');
  }
  if (user === '') return malformed('the PostgreSQL URL names no user');
  const hosts = parseHosts(hostList);
  if (!hosts.ok) return hosts;
  const parameters = parseParameters(query);
  if (!parameters.ok) return parameters;
  return parsed({
    hosts: hosts.value,
    user,
    password: passwordTexts.length === 0 ? undefined : password,
    database: database === '' ? user : database,
    ...parameters.value,
  });
}

/** True for Unix sockets and loopback, where nobody else can listen in. */
export function isOnThisMachine({ host }: PostgresHost): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function sslModeFor({ ssl }: PostgresAddress, host: PostgresHost): SslMode {
  if (ssl.mode !== 'automatic') return ssl.mode;
  return isOnThisMachine(host) ? 'prefer' : 'verify-full';
}

/** Formats the address for messages, without the password. */
export function formatPostgresAddress({ hosts, user, database }: PostgresAddress): string {
  const list = hosts.map(({ host, port }) => `${formatHost(host)}:${port}`).join(',');
  return `postgres://${encodeURIComponent(user)}@${list}/${encodeURIComponent(database)}`;
}

function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host.replaceAll('/', '%2F');
}

function parseHosts(text: string): Parsed<PostgresHost[]> {
  const items = text.split(',');
  if (items.length > MAX_HOSTS) {
    return malformed(`the PostgreSQL URL names ${items.length} hosts, the maximum is ${MAX_HOSTS}`);
  }
  const hosts: PostgresHost[] = [];
  for (const item of items) {
    const parts = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^:[\]]*))(?::(\d{0,5}))?$/.exec(item);
    const [, bracketed = '', bare = '', portText = ''] = parts ?? [];
    const host = decodePercent(bracketed + bare);
    if (parts === null || host === undefined) {
      return malformed(
        `the PostgreSQL URL has a host that is neither a name nor an address (IPv6 needs brackets): "${item}"`,
      );
    }
    if (host === '') return malformed('the PostgreSQL URL has an empty host');
    const port = portText === '' ? DEFAULT_PORT : Number(portText);
    if (port < 1 || port > 65_535) {
      return malformed(`the PostgreSQL URL has the port ${port}, which is not between 1 and 65535`);
    }
    hosts.push({ host, port });
  }
  return parsed(hosts);
}

type Parameters = Omit<PostgresAddress, 'hosts' | 'user' | 'password' | 'database'>;

function parseParameters(query: string): Parsed<Parameters> {
  const given = readParameters(query);
  if (!given.ok) return given;
  const value = (name: string): string | undefined => given.value.get(name);
  const text = value('sslmode');
  const mode = text === undefined ? parsed('automatic' as const) : oneOf('sslmode', text, SSL_MODES);
  if (!mode.ok) return mode;
  const target = oneOf(
    'target_session_attrs',
    value('target_session_attrs') ?? 'read-write',
    SESSION_TARGETS,
  );
  if (!target.ok) return target;
  if ((value('sslcert') === undefined) !== (value('sslkey') === undefined)) {
    return malformed('the PostgreSQL URL needs sslcert and sslkey together');
  }
  const connectTimeout = parseConnectTimeout(value('connect_timeout'));
  if (!connectTimeout.ok) return connectTimeout;
  return parsed({
    ssl: {
      mode: mode.value,
      rootCertFile: value('sslrootcert'),
      certFile: value('sslcert'),
      keyFile: value('sslkey'),
    },
    targetSession: target.value,
    applicationName: value('application_name') ?? 'zonewright',
    connectTimeoutMs: connectTimeout.value,
    options: value('options'),
  });
}

function readParameters(query: string): Parsed<Map<string, string>> {
  const given = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : decodePercent(pair.slice(equals + 1));
    if (!parameterNames.includes(name)) {
      return malformed(
        `the PostgreSQL URL has the parameter "${name}", which is not one of ${parameterNames.join(', ')}`,
      );
    }
    if (value === undefined || value === '' || given.has(name)) {
      return malformed(`the PostgreSQL URL needs one value for ${name}`);
    }
    given.set(name, value);
  }
  return parsed(given);
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): Parsed<T> {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return parsed(found);
  return malformed(`the PostgreSQL URL has ${name}=${value}, which is not one of ${choices.join(', ')}`);
}

function parseConnectTimeout(text: string | undefined): Parsed<number | undefined> {
  if (text === undefined) return parsed(undefined);
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_CONNECT_TIMEOUT_SECONDS) return parsed(seconds * 1000);
  return malformed(
    `the PostgreSQL URL has connect_timeout=${text}, which is not between 1 and ${MAX_CONNECT_TIMEOUT_SECONDS} seconds`,
  );
}

/** Returns undefined if the text is not percent-encoded UTF-8 or contains NUL. */
function decodePercent(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
