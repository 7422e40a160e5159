import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig, type ConfigSources, type LoadedConfig } from './config.ts';
import { settings, type SettingName } from './config-settings.ts';
import type { Setting } from './setting.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeToml(text: string): string {
  const path = join(folder, 'settings.toml');
  writeFileSync(path, text);
  return path;
}

function load(sources: Partial<ConfigSources>): LoadedConfig {
  const loaded = loadConfig({ options: {}, environment: {}, ...sources });
  if (!loaded.ok) throw new Error(loaded.problem);
  return loaded.value;
}

function problemOf(sources: Partial<ConfigSources>): string {
  const loaded = loadConfig({ options: {}, environment: {}, ...sources });
  if (loaded.ok) throw new Error('the configuration was accepted');
  return loaded.problem.replaceAll(folder, '');
}

const table = Object.entries(settings) as [SettingName, Setting<unknown>][];

test('every setting has one name in three spellings', () => {
  for (const [name, setting] of table) {
    const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(setting.key).toBe(words);
    expect(setting.environment).toBe(`ZONEWRIGHT_${words.toUpperCase()}`);
    expect(setting.option.split(' ')[0]).toBe(`--${words.replaceAll('_', '-')}`);
  }
});

test('with nothing set the defaults are in force', () => {
  const { config, entries } = load({});
  expect(config).toMatchObject({
    http: { host: '127.0.0.1', port: 8080 },
    httpSocketMode: 0o660,
    dns: [{ host: '127.0.0.1', port: 5300 }],
    data: './data',
    database: { kind: 'sqlite' },
    role: 'both',
    serverName: hostname(),
    adminKeyFile: 'data/admin.key',
    nameservers: ['ns1.zonewright.invalid'],
    hostmaster: 'hostmaster@zonewright.invalid',
    https: null,
    tlsCertificate: null,
    tlsKey: null,
    trustedProxies: null,
    proxyProtocol: false,
    corsOrigins: null,
    defaultTtl: null,
    txtLimit: 4096,
    allowPublicSuffixes: false,
    udp: 'auto',
    zoneMemory: 512 * 2 ** 20,
    rrl: 200,
    cookieSecret: null,
    nsid: '',
    dnssecSecret: null,
    dnssecDenial: 'nsec',
    historyDays: 30,
    log: 'info',
  });
  expect(entries.every(({ source }) => source === 'default')).toBe(true);
});

test('an option wins over the environment, the environment over the file, the file over the default', () => {
  const file = writeToml('log = "warn"');
  const environment = { ZONEWRIGHT_LOG: 'error' };
  const rows = [
    [{ file, environment, options: { log: ['debug'] } }, 'debug', 'option', '--log'],
    [{ file, environment }, 'error', 'environment', 'ZONEWRIGHT_LOG'],
    [{ file }, 'warn', 'file', file],
    [{}, 'info', 'default', 'default'],
    [{ file, environment: { ZONEWRIGHT_LOG: '' } }, 'warn', 'file', file],
  ] as const;
  for (const [sources, level, source, from] of rows) {
    const { config, entries } = load(sources);
    expect(config.log).toBe(level);
    expect(entries.find(({ key }) => key === 'log')).toEqual({ key: 'log', text: level, source, from });
  }
});

test('the file is named by --config, else by ZONEWRIGHT_CONFIG', () => {
  const file = writeToml('txt_limit = 1000');
  expect(load({ environment: { ZONEWRIGHT_CONFIG: file } }).config.txtLimit).toBe(1000);
  expect(load({ file, environment: { ZONEWRIGHT_CONFIG: '/nowhere.toml' } }).config.txtLimit).toBe(1000);
});

test('a list is written with commas, as a repeated option, or as a TOML array', () => {
  const addresses = [
    { host: '127.0.0.1', port: 53 },
    { host: '::1', port: 53 },
  ];
  const file = writeToml('dns = ["127.0.0.1:53", "[::1]:53"]');
  expect(load({ file }).config.dns).toEqual(addresses);
  expect(load({ options: { dns: ['127.0.0.1:53', '[::1]:53'] } }).config.dns).toEqual(addresses);
  expect(load({ environment: { ZONEWRIGHT_DNS: '127.0.0.1:53, [::1]:53' } }).config.dns).toEqual(addresses);
});

test('defaults follow the settings they depend on', () => {
  const { config } = load({
    environment: {
      ZONEWRIGHT_DATA: '/var/lib/zw',
      ZONEWRIGHT_NAMESERVERS: 'NS1.Example.net., ns2.example.net',
    },
  });
  expect(config.adminKeyFile).toBe('/var/lib/zw/admin.key');
  expect(config.nameservers).toEqual(['ns1.example.net', 'ns2.example.net']);
  expect(config.hostmaster).toBe('hostmaster@example.net');
});

const SECRET = Uint8Array.from(Buffer.from('0123456789abcdef0123456789abcdef', 'hex'));

test.each([
  ['ZONEWRIGHT_HTTP', 'localhost:0', { http: { host: '127.0.0.1', port: 0 } }],
  ['ZONEWRIGHT_DATABASE', 'sqlite:', { database: { kind: 'sqlite' } }],
  [
    'ZONEWRIGHT_DATABASE',
    'postgresql://zw:geheim@db1,db2:5433/zones',
    {
      database: {
        kind: 'postgres',
        address: {
          hosts: [
            { host: 'db1', port: 5432 },
            { host: 'db2', port: 5433 },
          ],
          user: 'zw',
          password: 'geheim',
          database: 'zones',
        },
      },
    },
  ],
  ['ZONEWRIGHT_SERVER_NAME', 'ns1.fra', { serverName: 'ns1.fra' }],
  ['ZONEWRIGHT_RATE_LIMIT', '0', { rateLimit: 0 }],
  ['ZONEWRIGHT_HTTP', 'unix:/run/zonewright/http.sock', { http: { path: '/run/zonewright/http.sock' } }],
  ['ZONEWRIGHT_HTTP_SOCKET_MODE', '0600', { httpSocketMode: 0o600 }],
  ['ZONEWRIGHT_TRUSTED_PROXIES', 'unix,10.0.0.1', { trustedProxies: ['unix', '10.0.0.1'] }],
  ['ZONEWRIGHT_TRUSTED_PROXIES', '::1, 10.0.0.0/8', { trustedProxies: ['::1', '10.0.0.0/8'] }],
  ['ZONEWRIGHT_CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
  [
    'ZONEWRIGHT_CORS_ORIGINS',
    'https://console.example.net, http://[::1]:5173',
    { corsOrigins: ['https://console.example.net', 'http://[::1]:5173'] },
  ],
  ['ZONEWRIGHT_DEFAULT_TTL', '300', { defaultTtl: 300 }],
  ['ZONEWRIGHT_TXT_LIMIT', '64500', { txtLimit: 64_500 }],
  ['ZONEWRIGHT_ALLOW_PUBLIC_SUFFIXES', 'Yes', { allowPublicSuffixes: true }],
  ['ZONEWRIGHT_WORKERS', '3', { workers: 3 }],
  ['ZONEWRIGHT_UDP', 'dgram', { udp: 'dgram' }],
  ['ZONEWRIGHT_ZONE_MEMORY', '1g', { zoneMemory: 2 ** 30 }],
  ['ZONEWRIGHT_RRL', '0', { rrl: 0 }],
  ['ZONEWRIGHT_NSID', 'ns1 fra', { nsid: 'ns1 fra' }],
  ['ZONEWRIGHT_COOKIE_SECRET', '0123456789abcdef0123456789ABCDEF', { cookieSecret: SECRET }],
  ['ZONEWRIGHT_DNSSEC_SECRET', 'a'.repeat(32), { dnssecSecret: ['a'.repeat(32)] }],
  ['ZONEWRIGHT_DNSSEC_DENIAL', 'nsec3', { dnssecDenial: 'nsec3' }],
  ['ZONEWRIGHT_HOSTMASTER', 'dns.team@example.com', { hostmaster: 'dns.team@example.com' }],
])('%s=%s is understood', (name, text, value) => {
  expect(load({ environment: { [name]: text } }).config).toMatchObject(value);
});

test.each([
  [
    'ZONEWRIGHT_CORS_ORIGINS',
    'https://Console.example.net:443/',
    '"https://Console.example.net:443/" is not an origin as browsers write it, for example https://console.example.net',
  ],
  [
    'ZONEWRIGHT_CORS_ORIGINS',
    'console.example.net',
    '"console.example.net" is not an origin as browsers write it, for example https://console.example.net',
  ],
  [
    'ZONEWRIGHT_CORS_ORIGINS',
    'https://*.example.net',
    '"https://*.example.net" is not an origin: * alone allows all origins, it cannot replace part of a name',
  ],
  ['ZONEWRIGHT_HTTP', '8080', '"8080" is not address:port, for example 127.0.0.1:8080 or [::1]:8080'],
  ['ZONEWRIGHT_HTTP', '127.1:80', '"127.1:80" is not address:port, for example 127.0.0.1:8080 or [::1]:8080'],
  ['ZONEWRIGHT_HTTP', '::1:80', '"::1:80" is not address:port, for example 127.0.0.1:8080 or [::1]:8080'],
  [
    'ZONEWRIGHT_HTTP',
    '[127.0.0.1]:80',
    '"[127.0.0.1]:80" is not address:port, for example 127.0.0.1:8080 or [::1]:8080',
  ],
  ['ZONEWRIGHT_HTTP', '127.0.0.1:65536', 'port 65536 of "127.0.0.1:65536" is over 65535'],
  ['ZONEWRIGHT_DNS', '127.0.0.1:53,', '"" is not address:port, for example 127.0.0.1:8080 or [::1]:8080'],
  ['ZONEWRIGHT_DNS', '127.0.0.1:53,127.0.0.1:53', '"127.0.0.1:53" is named twice'],
  [
    'ZONEWRIGHT_DATABASE',
    'postgres://zw:geheim@db:0/zw',
    'the PostgreSQL URL has the port 0, which is not between 1 and 65535',
  ],
  [
    'ZONEWRIGHT_DATABASE',
    'mysql://zw:a@b:c@db/zw',
    '"mysql://zw:***@db/zw" is not a database: write sqlite: or postgres://user@host/database',
  ],
  [
    'ZONEWRIGHT_DATABASE',
    'sqlite:x.db',
    '"sqlite:x.db" contains a path, but the embedded store is always in the data folder: write sqlite:',
  ],
  [
    'ZONEWRIGHT_SERVER_NAME',
    'ns 1',
    '"ns 1" is not a name of 1 to 253 printable ASCII characters without spaces',
  ],
  ['ZONEWRIGHT_ROLE', 'dns', '"dns" is not one of both, api, nameserver'],
  ['ZONEWRIGHT_NAMESERVERS', 'ns1.example.net,a b', '"a b" is not a host name, for example ns1.example.net'],
  ['ZONEWRIGHT_HOSTMASTER', 'hostmaster', '"hostmaster" is not a mail address'],
  [
    'ZONEWRIGHT_HOSTMASTER',
    `h@${'a23456789.'.repeat(25)}com`,
    '"h@a23456789.a23456789.a23456789.a23456789.a23456789.a2345678…" is too long for the SOA record\'s mailbox name of 255 octets',
  ],
  ['ZONEWRIGHT_RATE_LIMIT', '-1', '"-1" is not a whole number from 0 to 1000000'],
  ['ZONEWRIGHT_DEFAULT_TTL', '0', '"0" is not a whole number from 1 to 2147483647'],
  ['ZONEWRIGHT_TXT_LIMIT', '64501', '"64501" is not a whole number from 1 to 64500'],
  ['ZONEWRIGHT_TXT_LIMIT', '1e3', '"1e3" is not a whole number from 1 to 64500'],
  ['ZONEWRIGHT_ALLOW_PUBLIC_SUFFIXES', 'maybe', '"maybe" is neither yes nor no'],
  ['ZONEWRIGHT_WORKERS', '0', '"0" is not a whole number from 1 to 64'],
  ['ZONEWRIGHT_UDP', 'raw', '"raw" is not one of auto, koffi, dgram'],
  ['ZONEWRIGHT_ZONE_MEMORY', '1M', '"1M" is not a size from 16M to 2047M, for example 512M'],
  ['ZONEWRIGHT_RRL', '100001', '"100001" is not a whole number from 0 to 100000'],
  [
    'ZONEWRIGHT_COOKIE_SECRET',
    '0123456789abcdef0123456789abcdeg',
    'a cookie secret is 32 hex digits, as `openssl rand -hex 16` prints them',
  ],
  [
    'ZONEWRIGHT_COOKIE_SECRET',
    '0123456789abcdef0123456789abcd',
    'a cookie secret is 32 hex digits, as `openssl rand -hex 16` prints them',
  ],
  ['ZONEWRIGHT_NSID', 'Köln', '"Köln" has other characters than printable ASCII'],
  ['ZONEWRIGHT_NSID', 'n'.repeat(129), `"${'n'.repeat(129)}" has 129 characters, more than 128`],
  [
    'ZONEWRIGHT_DNSSEC_SECRET',
    'geheim',
    'the secret has 6 characters: a secret has 32 to 256 printable ASCII characters without spaces, as `openssl rand -base64 32` prints them',
  ],
  ['ZONEWRIGHT_DNSSEC_DENIAL', 'none', '"none" is not one of nsec, nsec3'],
  ['ZONEWRIGHT_LOG', 'loud', '"loud" is not one of debug, info, warn, error, silent'],
])('%s=%s is refused in one sentence that names the variable', (name, text, problem) => {
  expect(problemOf({ environment: { [name]: text } })).toBe(`${name}: ${problem}`);
});

test('a refusal names the option or the file when the value came from there', () => {
  expect(problemOf({ options: { workers: ['many'] } })).toBe(
    '--workers: "many" is not a whole number from 1 to 64',
  );
  expect(problemOf({ file: writeToml('workers = 1.5') })).toBe(
    'workers in /settings.toml: "1.5" is not a whole number from 1 to 64',
  );
});

test.each([
  ['wrokers = 2', '/settings.toml: there is no setting wrokers, did you mean workers?'],
  ['colour = "red"', '/settings.toml: there is no setting colour, zonewright config lists those there are'],
  ['[http]\nport = 1', '/settings.toml: http must be a text, a number, true or false, or a list of them'],
  ['log = 2026-01-01', '/settings.toml: log must be a text, a number, true or false, or a list of them'],
  ['log = ', /^\/settings\.toml is not valid TOML at line 1, column \d+: /],
  ['log = "info"\nlog = "warn"', /^\/settings\.toml is not valid TOML at line 2, column \d+: /],
])('the file %j is refused', (text, problem) => {
  expect(problemOf({ file: writeToml(text) })).toMatch(problem);
});

test('a named file that cannot be read is refused', () => {
  expect(problemOf({ file: join(folder, 'absent.toml') })).toBe(
    'the configuration file /absent.toml cannot be read (ENOENT)',
  );
});

test('an unknown ZONEWRIGHT variable is refused, those of the client and of Kubernetes are not', () => {
  expect(problemOf({ environment: { ZONEWRIGHT_HTPP: 'x' } })).toBe(
    'there is no setting ZONEWRIGHT_HTPP, did you mean ZONEWRIGHT_HTTP?',
  );
  expect(problemOf({ environment: { ZONEWRIGHT_HTTP_PORT: '8080' } })).toMatch(
    /^there is no setting ZONEWRIGHT_HTTP_PORT/,
  );
  load({
    environment: {
      ZONEWRIGHT_KEY: 'zw_x',
      ZONEWRIGHT_URL: 'http://127.0.0.1:1',
      ZONEWRIGHT_PORT: 'tcp://10.0.0.7:8080',
      ZONEWRIGHT_PORT_8080_TCP_ADDR: '10.0.0.7',
      ZONEWRIGHT_SERVICE_PORT_HTTP: '8080',
      ZONEWRIGHTED: 'x',
    },
  });
});

test('settings that contradict each other are refused', () => {
  expect(problemOf({ options: { log: ['info', 'warn'] } })).toBe('--log is given 2 times');
  const rows = [
    ['127.0.0.1:53', '127.0.0.1:53'],
    ['0.0.0.0:53', '127.0.0.1:53'],
    ['[::]:53', '[::1]:53'],
  ] as const;
  for (const [http, dns] of rows) {
    expect(problemOf({ options: { http: [http], dns: [dns] } })).toBe(
      `http on ${http} and dns on ${dns} want the same TCP port`,
    );
  }
  for (const role of ['api', 'nameserver']) {
    expect(problemOf({ options: { role: [role] } })).toBe(
      `role ${role} needs a database that several processes share, postgres://…, but database is sqlite:`,
    );
    expect(load({ options: { role: [role], database: ['postgres://zw@db'] } }).config.role).toBe(role);
  }
  load({
    options: { role: ['api'], database: ['postgres://zw@db'], http: ['0.0.0.0:53'], dns: ['0.0.0.0:53'] },
  });
  load({ options: { http: ['127.0.0.1:0'], dns: ['127.0.0.1:0'] } });
  expect(problemOf({ options: { proxyProtocol: ['yes'] } })).toBe(
    'proxy_protocol needs trusted_proxies, the proxies from which its headers are accepted',
  );
  load({ options: { proxyProtocol: ['yes'], trustedProxies: ['unix'] } });
  load({ options: { http: ['0.0.0.0:53'], dns: ['[::1]:53'] } });
});
