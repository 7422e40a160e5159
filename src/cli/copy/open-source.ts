import { clip } from '../../dns/clip.ts';
import { parseServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { checkUrl } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile } from '../failures/file-failures.ts';
import { readNames } from '../input/read-names.ts';
import { normalDomain } from '../names/zone-names.ts';
import { findVariable, type Environment } from '../terminal/environment.ts';
import type { CopySource } from './copy-source.ts';
import type { ProviderAccess } from './fetch-json.ts';
import type { Route53Access } from './fetch-route53.ts';
import type { JsonExport } from './json-files.ts';

export interface SourceOptions {
  /** `kind:place`. */
  readonly from: string;
  readonly domains?: string;
  readonly fromKeyFile?: string;
  readonly fromUrl?: string;
  readonly tsig?: string;
  readonly names?: string;
}

interface Opening {
  /** The text after `kind:`. */
  readonly place: string;
  /** Undefined: all that the source has. */
  readonly domains: readonly string[] | undefined;
  readonly options: SourceOptions;
  readonly environment: Environment;
}

interface SourceKind {
  /** The part after the kind, in brackets if it is optional: `:SERVER[:PORT]`. */
  readonly place: string;
  /** Explanation for `--help`, of one or two lines. */
  readonly help: string;
  /** Imports the module of this kind only now, so that `--help` and completion stay fast. */
  readonly open: (opening: Opening) => Promise<CopySource>;
}

/** One entry per kind of source: how it is written, and how it is opened. */
const sources: Readonly<Record<string, SourceKind>> = {
  file: {
    place: ':PATH',
    help: 'a zone file, or a folder of them',
    async open({ place, domains }) {
      const { zoneFileSource } = await import('./zone-file-source.ts');
      return zoneFileSource(requirePlace('file', place, 'zones/'), domains);
    },
  },
  axfr: {
    place: ':SERVER[:PORT]',
    help: 'a nameserver that allows zone transfers',
    async open(opening) {
      const { axfrSource } = await import('./axfr-source.ts');
      const { findTsigKey } = await import('../connection/tsig-key.ts');
      const server = serverOf('axfr', opening.place);
      const key = findTsigKey(opening.options.tsig, opening.environment);
      return axfrSource(server, key, requireDomains('axfr', opening));
    },
  },
  service: {
    place: ':URL',
    help: 'another service with this same HTTP interface',
    async open(opening) {
      const { serviceSource } = await import('./service-source.ts');
      const url = requirePlace('service', opening.place, 'https://dns.example.net');
      return serviceSource(url, findKey(opening), opening.domains);
    },
  },
  cloudflare: {
    place: '[:PATH]',
    help: "Cloudflare's API, or a file or folder of its JSON",
    async open(opening) {
      const { CLOUDFLARE_URL, cloudflareExport, cloudflareSource } = await import('./cloudflare.ts');
      if (opening.place !== '') return exportSource(cloudflareExport, opening);
      return cloudflareSource(accessOf(opening, CLOUDFLARE_URL, 'CLOUDFLARE_API_TOKEN'), opening.domains);
    },
  },
  digitalocean: {
    place: '[:PATH]',
    help: "DigitalOcean's API, or a file or folder of its JSON",
    async open(opening) {
      const { DIGITALOCEAN_URL, digitaloceanExport, digitaloceanSource } = await import('./digitalocean.ts');
      if (opening.place !== '') return exportSource(digitaloceanExport, opening);
      const access = accessOf(opening, DIGITALOCEAN_URL, 'DIGITALOCEAN_ACCESS_TOKEN');
      return digitaloceanSource(access, opening.domains);
    },
  },
  route53: {
    place: '[:PATH]',
    help: "Route 53's API, or a file or folder of the output of\n'aws route53 list-resource-record-sets'",
    async open(opening) {
      if (opening.place !== '') {
        const { route53Export } = await import('./route53.ts');
        return exportSource(route53Export, opening);
      }
      const { route53Source } = await import('./route53-source.ts');
      return route53Source(await route53AccessOf(opening), opening.domains);
    },
  },
  dns: {
    place: ':SERVER[:PORT]',
    help: 'live DNS, queried for the names that zones usually have',
    async open(opening) {
      const { liveDnsSource } = await import('./live-dns-source.ts');
      const { names } = opening.options;
      const more = names === undefined ? [] : readNames(names);
      return liveDnsSource(serverOf('dns', opening.place), requireDomains('dns', opening), more);
    },
  },
};

async function exportSource(format: JsonExport, { place, domains }: Opening): Promise<CopySource> {
  const { jsonFileSource } = await import('./json-files.ts');
  return jsonFileSource(format, place, domains);
}

/** Offered by completion. */
export const sourceKinds: readonly string[] = Object.keys(sources);

/** Kinds that are followed by the path of a file. */
export const fileSourceKinds = sourceKinds.filter((kind) => sources[kind].place.includes('PATH'));

/** One line per kind, for `--help`. */
export const sourcesHelp = `Sources:\n${Object.entries(sources)
  .map(
    ([kind, { place, help }]) => `  ${(kind + place).padEnd(25)}${help.replace('\n', `\n${' '.repeat(27)}`)}`,
  )
  .join('\n')}`;

/** @throws CommandFailure if `--from` does not name a source, or if its place, key or domains are missing */
export async function openSource(options: SourceOptions, environment: Environment): Promise<CopySource> {
  const kind = /^[a-z0-9]+/.exec(options.from)?.[0] ?? '';
  const place = options.from.slice(kind.length + 1);
  const isKind =
    Object.hasOwn(sources, kind) && (options.from === kind || options.from.startsWith(`${kind}:`));
  if (!isKind) {
    const known = sourceKinds.join(', ');
    // The part after the colon is not repeated: a URL can contain a password.
    const [given] = options.from.split(':');
    throw usage(`${clip(given)} is not a source: write kind:place, where kind is one of ${known}`);
  }
  const domains = options.domains === undefined ? undefined : readDomains(options.domains);
  return await sources[kind].open({ place, domains, options, environment });
}

/** Reads `a.example,b.example`, or `@file` with one name per line. */
function readDomains(text: string): readonly string[] {
  const names = text.startsWith('@') ? readNames(text.slice(1)) : text.split(',');
  const domains = names.map(normalDomain).filter((name) => name !== '');
  if (domains.length === 0) throw usage('--domains names no domain');
  return [...new Set(domains)];
}

function requireDomains(kind: string, { domains }: Opening): readonly string[] {
  if (domains !== undefined) return domains;
  throw usage(`${kind} cannot list the domains of the source: name them with --domains`);
}

function requirePlace(kind: string, place: string, example: string): string {
  if (place !== '') return place;
  throw usage(`${kind} needs a place, for example ${kind}:${example}`);
}

function serverOf(kind: string, place: string): ServerAddress {
  const server = parseServerAddress(requirePlace(kind, place, 'ns1.old-provider.example'));
  if (server.ok) return server.value;
  throw usage(server.problem);
}

function accessOf(opening: Opening, url: string, variable: string): ProviderAccess {
  return { url: urlOf(opening, url), key: findKey(opening, variable) };
}

async function route53AccessOf(opening: Opening): Promise<Route53Access> {
  const { findAwsCredentials } = await import('./aws-credentials.ts');
  const { ROUTE53_REQUEST_INTERVAL_MS, ROUTE53_URL } = await import('./fetch-route53.ts');
  const credentials = findAwsCredentials(opening.options.fromKeyFile, opening.environment);
  return {
    url: urlOf(opening, ROUTE53_URL),
    credentials,
    requestIntervalMs: ROUTE53_REQUEST_INTERVAL_MS,
  };
}

function urlOf({ options }: Opening, usual: string): string {
  return checkUrl(options.fromUrl ?? usual).replace(/\/+$/, '');
}

const KEY_VARIABLE = 'ZONEWRIGHT_FROM_KEY';

/** The key is never an option, because other users of the machine can see the command line. */
function findKey({ options, environment }: Opening, variable?: string): string {
  const variables = variable === undefined ? [KEY_VARIABLE] : [KEY_VARIABLE, variable];
  const fromFile = options.fromKeyFile === undefined ? undefined : readKeyFile(options.fromKeyFile);
  const key =
    fromFile ?? variables.map((name) => findVariable(environment, name)).find((value) => value !== undefined);
  if (key === undefined) {
    const sentence = `no key for the source: use --from-key-file or set ${variables.join(' or ')}`;
    throw new CommandFailure(exitCodes.authentication, sentence);
  }
  if (/^[\u0021-\u007e]{1,4096}$/.test(key)) return key;
  throw new CommandFailure(exitCodes.authentication, 'the key for the source is not one word');
}

function usage(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, sentence);
}
