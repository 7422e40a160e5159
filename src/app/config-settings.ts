import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import {
  formatSize,
  integerBetween,
  listOf,
  oneOf,
  optional,
  parseCookieSecret,
  parseDatabase,
  parseFileMode,
  parseHostName,
  parseHttpAddress,
  parseListenAddress,
  parseNsid,
  parsePath,
  parseResolverSetting,
  parseServerName,
  parseTrustedProxy,
  parseYesOrNo,
  sizeBetween,
} from './config-parsers.ts';
import { browserSettings } from './browser-settings.ts';
import { claimSettings } from './claim-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { parseDnssecSecrets } from './parse-dnssec-secrets.ts';
import { setting, type Setting } from './setting.ts';
import { tlsSettings } from './tls-settings.ts';
import { defaultLimits, MAX_LIMIT, MIN_TRAIL_OCTETS, type LimitName } from '../model/account-limits.ts';
import {
  DEFAULT_ASKED_RESOLVERS,
  parseAskedResolvers,
  parsePrivateParents,
} from '../dns-client/server-list.ts';
import { parseMailbox } from '../model/mailbox.ts';
import { MAX_TTL_SECONDS } from '../model/ttl.ts';
import { UNSET_NAMESERVER } from '../model/unset-nameserver.ts';
import { DEFAULT_TXT_LIMIT_BYTES, MAX_TXT_LIMIT_BYTES } from '../model/txt-data.ts';
import { MAX_RECORDS_PER_DOMAIN } from '../writes/decide-record.ts';
import { MAX_READERS, MAX_SPACE_BYTES } from '../zone/zone-space.ts';

/** The value of every setting. */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

export type SettingName = keyof typeof settings;

/**
 * More threads bring nothing on known machines: each costs some 10 MB, and sixteen cores answer over two million
 * queries a second.
 */
const MAX_DEFAULT_WORKERS = 16;

/** Room for the directory of a million domains. */
const MIN_ZONE_MEMORY_BYTES = 16 * 2 ** 20;

/** An import of 100,000 short records. */
const MIN_WORK_MEMORY_BYTES = 128 * 2 ** 20;

/** More than the longest body with all that is made of it, several times. */
const MAX_WORK_MEMORY_BYTES = 16 * 2 ** 30;

/** Whole megabytes, the unit of the setting. */
const MAX_ZONE_MEMORY_BYTES = MAX_SPACE_BYTES - (MAX_SPACE_BYTES % 2 ** 20);

/**
 * Declares every setting once. Options, environment variables, keys of the file, `zonewright config`, help and the type
 * `Config` are derived from this table. It reads nothing itself.
 */
export const settings = {
  http: setting({
    option: '--http <address>',
    environment: 'ZONEWRIGHT_HTTP',
    key: 'http',
    fallback: '127.0.0.1:8080',
    parse: parseHttpAddress,
    help: 'where the HTTP interface listens: address:port (port 0 lets the system choose), or unix:/path',
  }),
  httpSocketMode: setting({
    option: '--http-socket-mode <permissions>',
    environment: 'ZONEWRIGHT_HTTP_SOCKET_MODE',
    key: 'http_socket_mode',
    // The service's user and group: what a proxy on the same machine is added to.
    fallback: '660',
    parse: parseFileMode,
    help: "permissions of the Unix socket's file; whoever may write to it may connect",
  }),
  ...tlsSettings,
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
    help: 'folder of the store, or of the zone copy with PostgreSQL; created if it does not exist',
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
    help: 'what this process does: api (no DNS), nameserver (DNS, and HTTP for health and metrics only), both',
  }),
  serverName: setting({
    option: '--server-name <name>',
    environment: 'ZONEWRIGHT_SERVER_NAME',
    key: 'server_name',
    fallback: () => hostname(),
    parse: parseServerName,
    help: 'name of this process in lists of nameservers and in metrics; default: the host name',
  }),
  adminKeyFile: setting({
    option: '--admin-key-file <path>',
    environment: 'ZONEWRIGHT_ADMIN_KEY_FILE',
    key: 'admin_key_file',
    fallback: (textOf) => join(textOf('data'), 'admin.key'),
    parse: parsePath,
    help: 'file for the administrative API key: the first start uses the key in it, or creates it',
  }),
  nameservers: setting({
    option: '--nameservers <names>',
    environment: 'ZONEWRIGHT_NAMESERVERS',
    key: 'nameservers',
    fallback: UNSET_NAMESERVER,
    parse: listOf(parseHostName),
    isList: true,
    help: 'host names of your nameservers, for the NS records of new domains; several, separated by commas',
  }),
  ...claimSettings,
  hostmaster: setting({
    option: '--hostmaster <mailbox>',
    environment: 'ZONEWRIGHT_HOSTMASTER',
    key: 'hostmaster',
    fallback: (textOf) => `hostmaster@${parentDomain(textOf('nameservers'))}`,
    parse: parseMailbox,
    help: "the operator's mail address, for SOA records in which hostmaster@ the domain does not fit",
  }),
  rateLimit: setting({
    option: '--rate-limit <requests>',
    environment: 'ZONEWRIGHT_RATE_LIMIT',
    key: 'rate_limit',
    // Higher than what one process commits, so that bulk copies never reach it. Lower it if customers share a machine.
    fallback: '10000',
    parse: integerBetween(0, 1_000_000),
    help: 'HTTP requests per second for each API key, with bursts of one second; 0: no limit',
  }),
  trustedProxies: setting({
    option: '--trusted-proxies <networks>',
    environment: 'ZONEWRIGHT_TRUSTED_PROXIES',
    key: 'trusted_proxies',
    fallback: '',
    parse: optional(listOf(parseTrustedProxy)),
    isList: true,
    help: 'addresses and networks of your proxies, which are believed who the client is and whether it used TLS; unix: all on the Unix socket; several, separated by commas',
  }),
  proxyProtocol: setting({
    option: '--proxy-protocol <yes|no>',
    environment: 'ZONEWRIGHT_PROXY_PROTOCOL',
    key: 'proxy_protocol',
    fallback: 'no',
    parse: parseYesOrNo,
    help: 'whether the trusted proxies send headers of the PROXY protocol, version 2',
  }),
  ...browserSettings,
  ...oidcSettings,
  defaultTtl: setting({
    option: '--default-ttl <seconds>',
    environment: 'ZONEWRIGHT_DEFAULT_TTL',
    key: 'default_ttl',
    fallback: '',
    parse: optional(integerBetween(1, MAX_TTL_SECONDS)),
    help: 'TTL of records that are sent without one; unset: such requests are refused',
  }),
  txtLimit: setting({
    option: '--txt-limit <bytes>',
    environment: 'ZONEWRIGHT_TXT_LIMIT',
    key: 'txt_limit',
    fallback: String(DEFAULT_TXT_LIMIT_BYTES),
    parse: integerBetween(1, MAX_TXT_LIMIT_BYTES),
    help: 'largest content of a TXT record, in bytes',
  }),
  allowPublicSuffixes: setting({
    option: '--allow-public-suffixes <yes|no>',
    environment: 'ZONEWRIGHT_ALLOW_PUBLIC_SUFFIXES',
    key: 'allow_public_suffixes',
    fallback: 'no',
    parse: parseYesOrNo,
    help: 'allow domains that are a public suffix (co.uk) or a single label',
  }),
  workers: setting({
    option: '--workers <threads>',
    environment: 'ZONEWRIGHT_WORKERS',
    key: 'workers',
    fallback: () => String(Math.min(availableParallelism(), MAX_DEFAULT_WORKERS)),
    parse: integerBetween(1, MAX_READERS),
    help: 'nameserver threads; default: one per processor',
  }),
  udp: setting({
    option: '--udp <auto|koffi|dgram>',
    environment: 'ZONEWRIGHT_UDP',
    key: 'udp',
    fallback: 'auto',
    parse: oneOf('auto', 'koffi', 'dgram'),
    help: 'how UDP is read: koffi (in batches, Linux only), dgram (everywhere), auto (koffi if it works)',
  }),
  zoneMemory: setting({
    option: '--zone-memory <size>',
    environment: 'ZONEWRIGHT_ZONE_MEMORY',
    key: 'zone_memory',
    fallback: '512M',
    parse: sizeBetween(MIN_ZONE_MEMORY_BYTES, MAX_ZONE_MEMORY_BYTES),
    help: 'memory for zone images; zones that do not fit are loaded when they are queried',
  }),
  workMemory: setting({
    option: '--work-memory <size>',
    environment: 'ZONEWRIGHT_WORK_MEMORY',
    key: 'work_memory',
    fallback: '256M',
    parse: sizeBetween(MIN_WORK_MEMORY_BYTES, MAX_WORK_MEMORY_BYTES),
    help: 'memory for large imports, batches, checks and dry runs of all customers together; more of them wait',
  }),
  rrl: setting({
    option: '--rrl <responses>',
    environment: 'ZONEWRIGHT_RRL',
    key: 'rrl',
    fallback: '200',
    // The limiter counts microseconds per response, and a tenth of that for all responses to a network.
    parse: integerBetween(0, 100_000),
    help: 'equal DNS responses per second over UDP to one network (IPv4 /24, IPv6 /56) without cookies; 0: no limit',
  }),
  cookieSecret: setting({
    option: '--cookie-secret <hex>',
    environment: 'ZONEWRIGHT_COOKIE_SECRET',
    key: 'cookie_secret',
    fallback: '',
    parse: optional(parseCookieSecret),
    isSecret: true,
    help: 'secret of the DNS cookies, 32 hex digits; must be equal on all nameservers behind one address; unset: a new one at each start',
  }),
  nsid: setting({
    option: '--nsid <text>',
    environment: 'ZONEWRIGHT_NSID',
    key: 'nsid',
    fallback: '',
    parse: parseNsid,
    help: 'identifier of this nameserver in answers to NSID and id.server queries; unset: none',
  }),
  dnssecSecret: setting({
    option: '--dnssec-secret <text>',
    environment: 'ZONEWRIGHT_DNSSEC_SECRET',
    key: 'dnssec_secret',
    fallback: '',
    parse: optional(parseDnssecSecrets),
    isList: true,
    isSecret: true,
    help: 'secret that encrypts the keys of signed domains and one-time codes of users, 32 characters or more; equal for all processes that write; several, separated by commas: the first encrypts, all decrypt; unset: dnssec.key in the data folder of the embedded store; with PostgreSQL, no domain can be signed, and there are no one-time codes',
  }),
  dnssecDenial: setting({
    option: '--dnssec-denial <nsec|nsec3>',
    environment: 'ZONEWRIGHT_DNSSEC_DENIAL',
    key: 'dnssec_denial',
    // RFC 9276 section 3.1 prefers NSEC, and its answers cost less.
    fallback: 'nsec',
    parse: oneOf('nsec', 'nsec3'),
    help: 'how domains that are signed from now on prove that a name does not exist; nsec3: their names cannot simply be listed',
  }),
  resolvers: setting({
    option: '--resolvers <addresses>',
    environment: 'ZONEWRIGHT_RESOLVERS',
    key: 'resolvers',
    fallback: '',
    parse: optional(parseResolverSetting),
    isList: true,
    help: 'up to three resolvers that find parent zones and their nameservers, as address or address:port, separated by commas; none: no parent zone is looked at; unset: those of the system',
  }),
  privateParents: setting({
    option: '--private-parents <addresses>',
    environment: 'ZONEWRIGHT_PRIVATE_PARENTS',
    key: 'private_parents',
    fallback: '',
    parse: optional(parsePrivateParents),
    isList: true,
    help: 'nameservers of parent zones and of signed domains that may be asked although their addresses are not public, as address or address:port, separated by commas; unset: none',
  }),
  askedResolvers: setting({
    option: '--asked-resolvers <addresses>',
    environment: 'ZONEWRIGHT_ASKED_RESOLVERS',
    key: 'asked_resolvers',
    fallback: DEFAULT_ASKED_RESOLVERS,
    parse: parseAskedResolvers,
    isList: true,
    help: 'resolvers that customers can have asked about names of their domains, as address or address:port, separated by commas; public: every public address; none: nobody is asked',
  }),
  historyDays: setting({
    option: '--history-days <days>',
    environment: 'ZONEWRIGHT_HISTORY_DAYS',
    key: 'history_days',
    fallback: '30',
    parse: integerBetween(1, 36_500),
    help: 'days that the history of changes is kept',
  }),
  trailDays: setting({
    option: '--trail-days <days>',
    environment: 'ZONEWRIGHT_TRAIL_DAYS',
    key: 'trail_days',
    fallback: '365',
    parse: integerBetween(1, 36_500),
    help: 'days that the trail is kept: log-ins, refusals, keys, rights and exports',
  }),
  limitDomains: limit('domains', 'domains', 'domains of an account'),
  limitRecords: limit('records', 'records', 'records of an account, in all its domains'),
  limitDomainRecords: limit('domain-records', 'recordsPerDomain', 'records of one domain'),
  limitOctets: limit('octets', 'octets', 'octets of the records of an account'),
  limitHistoryOctets: limit(
    'history-octets',
    'historyOctets',
    'octets of the history of an account; its oldest history beyond it is removed',
  ),
  limitOutcomeOctets: limit(
    'outcome-octets',
    'outcomeOctets',
    'octets of outcomes of an account that are kept for repeated requests',
  ),
  limitTrailOctets: limit(
    'trail-octets',
    'trailOctets',
    'octets of the trail of an account; its oldest entries beyond it are removed',
  ),
  limitKeys: limit('keys', 'keys', 'API keys of an account'),
  limitCost: limit('cost', 'costPerMinute', 'work for expensive requests of an account in a minute, in rows'),
  log: setting({
    option: '--log <debug|info|warn|error|silent>',
    environment: 'ZONEWRIGHT_LOG',
    key: 'log',
    fallback: 'info',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    help: 'lowest level that is logged (JSON, on stderr)',
  }),
} as const;

/** A limit of each account, unless an administrator has set another. */
function limit(words: string, name: LimitName, help: string): Setting<number> {
  const word = words.replaceAll('-', '_');
  const isSize = name.endsWith('ctets');
  const most = name === 'recordsPerDomain' ? MAX_RECORDS_PER_DOMAIN : MAX_LIMIT;
  const fallback = defaultLimits[name];
  return setting({
    option: `--limit-${words} <${isSize ? 'size' : 'count'}>`,
    environment: `ZONEWRIGHT_LIMIT_${word.toUpperCase()}`,
    key: `limit_${word}`,
    fallback: isSize ? formatSize(fallback) : String(fallback),
    parse: isSize
      ? sizeBetween(name === 'trailOctets' ? MIN_TRAIL_OCTETS : 0, MAX_LIMIT)
      : integerBetween(0, most),
    help: `most ${help}`,
  });
}

/** Returns the parent domain of the first nameserver, where its operator most likely receives mail. */
function parentDomain(nameservers: string): string {
  const labels = nameservers.split(',')[0].trim().split('.');
  return (labels.length > 2 ? labels.slice(1) : labels).join('.');
}
