/*
 * The folders under src/ in the order of the data flow, with the folders, packages and Node modules that each may
 * import. ARCHITECTURE.md has the same table for people; tests enforce this one.
 */

export interface FolderRule {
  /** Other folders of src/. */
  readonly imports: readonly string[];
  /** npm packages, including their sub-paths. */
  readonly packages: readonly string[];
  /** Node modules without `node:`; undefined: any. */
  readonly node: readonly string[] | undefined;
  /** No I/O, clock, randomness or global state; all input is arguments. */
  readonly pure?: boolean;
}

export const folderTable: Readonly<Partial<Record<string, FolderRule>>> = {
  base: { imports: [], packages: [], node: ['os', 'v8', 'vm', 'worker_threads'] },
  dns: { imports: ['base'], packages: [], node: [], pure: true },
  'dns-client': {
    imports: ['dns', 'base'],
    packages: [],
    node: ['crypto', 'dgram', 'dns/promises', 'events', 'net'],
  },
  dnssec: { imports: ['dns', 'base'], packages: [], node: ['crypto'] },
  model: { imports: ['dns', 'base'], packages: ['tldts', 'tr46'], node: [], pure: true },
  checks: { imports: ['model', 'dns', 'base'], packages: [], node: [], pure: true },
  contract: { imports: ['model', 'dns', 'base'], packages: [], node: [], pure: true },
  writes: { imports: ['model', 'dnssec', 'dns', 'base'], packages: [], node: [], pure: true },
  store: {
    imports: ['writes', 'model', 'dnssec', 'dns', 'base'],
    packages: ['@photostructure/sqlite', 'pg'],
    node: ['crypto', 'fs', 'net', 'path', 'timers/promises', 'tls', 'worker_threads', 'sqlite'],
  },
  'zone-copy': {
    imports: ['store', 'writes', 'model', 'dnssec', 'dns', 'base'],
    packages: [],
    node: ['crypto', 'fs', 'path', 'worker_threads'],
  },
  migration: {
    imports: ['store', 'writes', 'model', 'dnssec', 'dns', 'base'],
    packages: [],
    node: ['crypto', 'fs', 'path'],
  },
  signer: {
    imports: ['store', 'writes', 'model', 'dnssec', 'dns-client', 'dns', 'base'],
    packages: [],
    node: ['crypto', 'timers/promises'],
  },
  claims: {
    imports: ['signer', 'store', 'writes', 'model', 'dns-client', 'dns', 'base'],
    packages: [],
    node: ['crypto'],
  },
  credentials: {
    imports: ['model', 'base'],
    packages: ['@simplewebauthn/server', 'otpauth'],
    node: ['crypto'],
  },
  oidc: { imports: ['model', 'base'], packages: ['openid-client'], node: [] },
  operations: {
    imports: [
      'claims',
      'signer',
      'store',
      'writes',
      'checks',
      'credentials',
      'oidc',
      'model',
      'dnssec',
      'dns',
      'base',
    ],
    packages: [],
    node: ['crypto'],
  },
  zone: { imports: ['model', 'dns', 'base'], packages: [], node: [], pure: true },
  publisher: { imports: ['zone', 'store', 'writes', 'model', 'dns', 'base'], packages: [], node: [] },
  nameserver: {
    imports: ['zone', 'dns', 'base'],
    packages: ['koffi'],
    node: ['dgram', 'net', 'tls', 'os', 'util', 'worker_threads'],
  },
  http: {
    imports: ['operations', 'contract', 'model', 'base'],
    packages: ['fastify'],
    node: [
      'buffer',
      'crypto',
      'fs',
      'fs/promises',
      'http',
      'http2',
      'https',
      'net',
      'os',
      'path',
      'stream',
      'tls',
      'zlib',
    ],
  },
  metrics: { imports: ['base'], packages: ['prom-client'], node: [] },
  client: { imports: ['contract'], packages: [], node: [] },
  cli: {
    imports: ['client', 'contract', 'dns-client', 'dns', 'base'],
    packages: ['@rgrove/parse-xml', 'aws4fetch', 'commander', 'smol-toml'],
    node: ['crypto', 'fs', 'fs/promises', 'http', 'os', 'path', 'readline/promises', 'stream', 'url'],
  },
  app: {
    imports: [
      'base',
      'dns',
      'dns-client',
      'dnssec',
      'model',
      'checks',
      'contract',
      'writes',
      'store',
      'zone-copy',
      'migration',
      'signer',
      'claims',
      'oidc',
      'operations',
      'zone',
      'publisher',
      'nameserver',
      'http',
      'metrics',
      'client',
      'cli',
    ],
    packages: ['commander', 'pino', 'smol-toml'],
    node: undefined,
  },
};

/** Packages and Node modules that only a part of a folder may import. */
export const onlyIn: Readonly<Partial<Record<string, string>>> = {
  '@photostructure/sqlite': 'store/sqlite/',
  'node:sqlite': 'store/sqlite/',
  pg: 'store/postgres/',
  'prom-client': 'metrics/',
};
