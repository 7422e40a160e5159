import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import {
  integerBetween,
  listOf,
  oneOf,
  optional,
  parseCookieSecret,
  parseDatabase,
  parseHostName,
  parseListenAddress,
  parseNsid,
  parseOrigin,
  parsePath,
  parseServerName,
  parseYesOrNo,
  sizeBetween,
  type SettingParser,
} from './config-parsers.ts';
import { parseMailbox } from '../model/mailbox.ts';
import { MAX_TTL_SECONDS } from '../model/ttl.ts';
import { DEFAULT_TXT_LIMIT_BYTES, MAX_TXT_LIMIT_BYTES } from '../model/txt-data.ts';
import { MAX_READERS, MAX_SPACE_BYTES } from '../zone/zone-space.ts';

/**
 * Every setting there is, declared once: options, environment variables, keys of the file, `zonewright config`, help
 * and the type `Config` are derived from this table. It never reads anything itself.
 */
export interface Setting<T> {
  /** As `--help` shows it: `--http <address:port>`. */
  readonly option: string;
  readonly environment: string;
  /** In the TOML file and in `zonewright config`. */
  readonly key: string;
  /** Text like any other; a function where it depends on settings above it. */
  readonly fallback: string | ((textOf: (key: string) => string) => string);
  readonly parse: SettingParser<T>;
  /** Given several times, the option's texts are joined with commas. */
  readonly isList?: boolean;
  /** Never shown, neither by `zonewright config` nor in a sentence about what is wrong with it. */
  readonly isSecret?: boolean;
  readonly help: string;
}

/** The value of every setting. */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

export type SettingName = keyof typeof settings;

/**
 * Answering threads beyond this bring nothing on the machines we know: each costs some 10 MB, and sixteen cores answer
 * over two million queries a second.
 */
const MAX_DEFAULT_WORKERS = 16;

/** Room for the directory of a million domains. */
const MIN_ZONE_MEMORY_BYTES = 16 * 2 ** 20;

/** In whole megabytes, as it is written. */
const MAX_ZONE_MEMORY_BYTES = MAX_SPACE_BYTES - (MAX_SPACE_BYTES % 2 ** 20);

/** `.invalid` resolves nowhere (RFC 6761 section 6.4), so an unset name never points at somebody else's machine. */
export const UNSET_NAMESERVER = 'ns1.zonewright.invalid';

export const settings = {
  http: setting({
    option: '--http <address:port>',
    environment: 'ZONEWRIGHT_HTTP',
    key: 'http',
    fallback: '127.0.0.1:8080',
    parse: parseListenAddress,
    help: 'where the HTTP interface listens; port 0 lets the system choose',
  }),
  dns: setting({
    option: '--dns <address:port>',
    environment: 'ZONEWRIGHT_DNS',
    key: 'dns',
    fallback: '127.0.0.1:5300',
    parse: listOf(parseListenAddress),
    isList: true,
    help: 'where the nameserver listens, UDP and TCP; several, separated by commas',
  }),
  data: setting({
    option: '--data <folder>',
    environment: 'ZONEWRIGHT_DATA',
    key: 'data',
    fallback: './data',
    parse: parsePath,
    help: 'folder of the store, or of the zone copy beside PostgreSQL; created when it is not there',
  }),
  database: setting({
    option: '--database <url>',
    environment: 'ZONEWRIGHT_DATABASE',
    key: 'database',
    fallback: 'sqlite:',
    parse: parseDatabase,
    help: 'sqlite: is the embedded store in the data folder; postgres://user:password@host:5432/database?sslmode=…',
  }),
  role: setting({
    option: '--role <both|api|nameserver>',
    environment: 'ZONEWRIGHT_ROLE',
    key: 'role',
    fallback: 'both',
    parse: oneOf('both', 'api', 'nameserver'),
    help: 'what this process does: api (no DNS), nameserver (DNS alone; the HTTP address has health only), both',
  }),
  serverName: setting({
    option: '--server-name <name>',
    environment: 'ZONEWRIGHT_SERVER_NAME',
    key: 'server_name',
    fallback: () => hostname(),
    parse: parseServerName,
    help: "what this process is called where nameservers are listed, and in metrics; default: the host's name",
  }),
  adminKeyFile: setting({
    option: '--admin-key-file <path>',
    environment: 'ZONEWRIGHT_ADMIN_KEY_FILE',
    key: 'admin_key_file',
    fallback: (textOf) => join(textOf('data'), 'admin.key'),
    parse: parsePath,
    help: 'where the first start puts the administrative API key, or finds one to take',
  }),
  nameservers: setting({
    option: '--nameservers <names>',
    environment: 'ZONEWRIGHT_NAMESERVERS',
    key: 'nameservers',
    fallback: UNSET_NAMESERVER,
    parse: listOf(parseHostName),
    isList: true,
    help: 'host names of your nameservers: the NS records of new domains; several, separated by commas',
  }),
  hostmaster: setting({
    option: '--hostmaster <mailbox>',
    environment: 'ZONEWRIGHT_HOSTMASTER',
    key: 'hostmaster',
    fallback: (textOf) => `hostmaster@${parentDomain(textOf('nameservers'))}`,
    parse: parseMailbox,
    help: "the operator's mail address: in the SOA where hostmaster@ the domain does not fit",
  }),
  rateLimit: setting({
    option: '--rate-limit <requests>',
    environment: 'ZONEWRIGHT_RATE_LIMIT',
    key: 'rate_limit',
    // Above what one process commits, so that copying in bulk never meets it; lower it where customers share a machine.
    fallback: '10000',
    parse: integerBetween(0, 1_000_000),
    help: 'HTTP requests a second for each API key, with bursts of one second; 0 switches it off',
  }),
  corsOrigins: setting({
    option: '--cors-origins <origins>',
    environment: 'ZONEWRIGHT_CORS_ORIGINS',
    key: 'cors_origins',
    fallback: '',
    parse: optional(listOf(parseOrigin)),
    isList: true,
    help: 'origins whose pages may use the HTTP interface from a browser, as https://console.example.net, or *; several, separated by commas',
  }),
  defaultTtl: setting({
    option: '--default-ttl <seconds>',
    environment: 'ZONEWRIGHT_DEFAULT_TTL',
    key: 'default_ttl',
    fallback: '',
    parse: optional(integerBetween(1, MAX_TTL_SECONDS)),
    help: 'TTL of records that are sent without one; unset: such a request is refused',
  }),
  txtLimit: setting({
    option: '--txt-limit <bytes>',
    environment: 'ZONEWRIGHT_TXT_LIMIT',
    key: 'txt_limit',
    fallback: String(DEFAULT_TXT_LIMIT_BYTES),
    parse: integerBetween(1, MAX_TXT_LIMIT_BYTES),
    help: 'largest content of a TXT record',
  }),
  allowPublicSuffixes: setting({
    option: '--allow-public-suffixes <yes|no>',
    environment: 'ZONEWRIGHT_ALLOW_PUBLIC_SUFFIXES',
    key: 'allow_public_suffixes',
    fallback: 'no',
    parse: parseYesOrNo,
    help: 'let domains be created that are a public suffix (co.uk) or a single label',
  }),
  workers: setting({
    option: '--workers <threads>',
    environment: 'ZONEWRIGHT_WORKERS',
    key: 'workers',
    fallback: () => String(Math.min(availableParallelism(), MAX_DEFAULT_WORKERS)),
    parse: integerBetween(1, MAX_READERS),
    help: 'threads that answer DNS; default: one a processor',
  }),
  udp: setting({
    option: '--udp <auto|koffi|dgram>',
    environment: 'ZONEWRIGHT_UDP',
    key: 'udp',
    fallback: 'auto',
    parse: oneOf('auto', 'koffi', 'dgram'),
    help: 'how UDP is read: koffi (batches, Linux), dgram (anywhere), auto (koffi where it works)',
  }),
  zoneMemory: setting({
    option: '--zone-memory <size>',
    environment: 'ZONEWRIGHT_ZONE_MEMORY',
    key: 'zone_memory',
    fallback: '512M',
    parse: sizeBetween(MIN_ZONE_MEMORY_BYTES, MAX_ZONE_MEMORY_BYTES),
    help: 'memory for the zones being answered from; the rest is loaded when it is asked for',
  }),
  rrl: setting({
    option: '--rrl <responses>',
    environment: 'ZONEWRIGHT_RRL',
    key: 'rrl',
    fallback: '200',
    // Counted in microseconds a response, and a tenth of that for a network in all.
    parse: integerBetween(0, 100_000),
    help: 'equal DNS responses a second over UDP to one network (IPv4 /24, IPv6 /56) without cookies; 0: any number',
  }),
  cookieSecret: setting({
    option: '--cookie-secret <hex>',
    environment: 'ZONEWRIGHT_COOKIE_SECRET',
    key: 'cookie_secret',
    fallback: '',
    parse: optional(parseCookieSecret),
    isSecret: true,
    help: 'secret of the DNS cookies, 32 hex digits, the same on all nameservers behind one address; unset: a new one at each start',
  }),
  nsid: setting({
    option: '--nsid <text>',
    environment: 'ZONEWRIGHT_NSID',
    key: 'nsid',
    fallback: '',
    parse: parseNsid,
    help: 'what tells this nameserver from others behind its address, for who asks (NSID, id.server); unset: not told',
  }),
  historyDays: setting({
    option: '--history-days <days>',
    environment: 'ZONEWRIGHT_HISTORY_DAYS',
    key: 'history_days',
    fallback: '30',
    parse: integerBetween(1, 36_500),
    help: 'how long the history of changes is kept',
  }),
  log: setting({
    option: '--log <debug|info|warn|error|silent>',
    environment: 'ZONEWRIGHT_LOG',
    key: 'log',
    fallback: 'info',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    help: 'least important lines to log (JSON, on stderr)',
  }),
} as const;

/** Keeps the value's type while the table is checked. */
function setting<T>(declaration: Setting<T>): Setting<T> {
  return declaration;
}

/** Of the first nameserver: where its operator's mail most likely goes. */
function parentDomain(nameservers: string): string {
  const labels = nameservers.split(',')[0].trim().split('.');
  return (labels.length > 2 ? labels.slice(1) : labels).join('.');
}
