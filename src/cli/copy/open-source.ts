import { clip } from '../../dns/clip.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { checkUrl } from '../connection/connection.ts';
import { parseServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { findTsigKey } from '../connection/tsig-key.ts';
import { findVariable, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile } from '../failures/file-failures.ts';
import { findAwsCredentials } from './aws-credentials.ts';
import { axfrSource } from './axfr-source.ts';
import { CLOUDFLARE_URL, cloudflareExport, cloudflareSource } from './cloudflare.ts';
import { type CopySource } from './copy-source.ts';
import { DIGITALOCEAN_URL, digitaloceanExport, digitaloceanSource } from './digitalocean.ts';
import type { ProviderAccess } from './fetch-json.ts';
import { ROUTE53_REQUEST_INTERVAL_MS, ROUTE53_URL, type Route53Access } from './fetch-route53.ts';
import { jsonFileSource, type JsonExport } from './json-files.ts';
import { liveDnsSource } from './live-dns-source.ts';
import { zoneFileSource } from './zone-file-source.ts';
import { readNames } from '../input/read-names.ts';
import { normalDomain } from '../names/zone-names.ts';
import { route53Export } from './route53.ts';
import { route53Source } from './route53-source.ts';
import { serviceSource } from './service-source.ts';

export interface SourceOptions {
  /** `kind:place`. */
  readonly from: string;
  readonly domains?: string;
  readonly fromKeyFile?: string;
  readonly fromUrl?: string;
  readonly tsig?: string;
  readonly names?: string;
}

/** What stands behind `kind:`, and the domains that were named, if any. */
interface Opening {
  readonly place: string;
  readonly domains: readonly string[] | undefined;
  readonly options: SourceOptions;
  readonly environment: Environment;
}

interface SourceKind {
  /** Behind the kind, in brackets where it may be left out: `:SERVER[:PORT]`. */
  readonly place: string;
  /** What is there, for `--help`; a second line where it needs one. */
  readonly help: string;
  readonly open: (opening: Opening) => CopySource;
}

/** One entry a kind of source: what to write, and how it is opened. */
const sources: Readonly<Record<string, SourceKind>> = {
  file: {
    place: ':PATH',
    help: 'a master file, or a folder of them',
    open: ({ place, domains }) => zoneFileSource(requirePlace('file', place, 'zones/'), domains),
  },
  axfr: {
    place: ':SERVER[:PORT]',
    help: 'a nameserver that hands over its zones',
    open: (opening) =>
      axfrSource(
        serverOf('axfr', opening.place),
        findTsigKey(opening.options.tsig, opening.environment),
        requireDomains('axfr', opening),
      ),
  },
  service: {
    place: ':URL',
    help: 'a service that speaks this same interface',
    open: (opening) =>
      serviceSource(
        requirePlace('service', opening.place, 'https://dns.example.net'),
        findKey(opening),
        opening.domains,
      ),
  },
  cloudflare: {
    place: '[:PATH]',
    help: "Cloudflare's interface, or a file or folder of its JSON",
    open: exportOr(cloudflareExport, (opening) =>
      cloudflareSource(accessOf(opening, CLOUDFLARE_URL, 'CLOUDFLARE_API_TOKEN'), opening.domains),
    ),
  },
  digitalocean: {
    place: '[:PATH]',
    help: "DigitalOcean's interface, or a file or folder of its JSON",
    open: exportOr(digitaloceanExport, (opening) =>
      digitaloceanSource(accessOf(opening, DIGITALOCEAN_URL, 'DIGITALOCEAN_ACCESS_TOKEN'), opening.domains),
    ),
  },
  route53: {
    place: '[:PATH]',
    help: "Route 53's interface, or a file or folder of what\n'aws route53 list-resource-record-sets' prints",
    open: exportOr(route53Export, (opening) => route53Source(route53AccessOf(opening), opening.domains)),
  },
  dns: {
    place: ':SERVER[:PORT]',
    help: 'live DNS, asked for names that zones usually have',
    open: (opening) =>
      liveDnsSource(
        serverOf('dns', opening.place),
        requireDomains('dns', opening),
        opening.options.names === undefined ? [] : readNames(opening.options.names),
      ),
  },
};

/** Files of a provider where a path is given, else its interface. */
function exportOr(format: JsonExport, openInterface: SourceKind['open']): SourceKind['open'] {
  return (opening) =>
    opening.place === '' ? openInterface(opening) : jsonFileSource(format, opening.place, opening.domains);
}

/** For completion. */
export const sourceKinds: readonly string[] = Object.keys(sources);

/** Those that are followed by the path of a file. */
export const fileSourceKinds = sourceKinds.filter((kind) => sources[kind].place.includes('PATH'));

/** For `--help`: a line a kind. */
export const sourcesHelp = `Sources:\n${Object.entries(sources)
  .map(
    ([kind, { place, help }]) => `  ${(kind + place).padEnd(25)}${help.replace('\n', `\n${' '.repeat(27)}`)}`,
  )
  .join('\n')}`;

/** @throws CommandFailure when the words do not name a source, or something of it is missing */
export function openSource(options: SourceOptions, environment: Environment): CopySource {
  const kind = /^[a-z0-9]+/.exec(options.from)?.[0] ?? '';
  const place = options.from.slice(kind.length + 1);
  const isKind =
    Object.hasOwn(sources, kind) && (options.from === kind || options.from.startsWith(`${kind}:`));
  if (!isKind) {
    const known = sourceKinds.join(', ');
    // Behind the colon a password can stand, in a URL.
    const [given] = options.from.split(':');
    throw usage(`${clip(given)} is not a source: write kind:place, the kinds are ${known}`);
  }
  const domains = options.domains === undefined ? undefined : readDomains(options.domains);
  return sources[kind].open({ place, domains, options, environment });
}

/** `a.example,b.example`, or `@file` with a name a line. */
function readDomains(text: string): readonly string[] {
  const names = text.startsWith('@') ? readNames(text.slice(1)) : text.split(',');
  const domains = names.map(normalDomain).filter((name) => name !== '');
  if (domains.length === 0) throw usage('--domains names no domain');
  return [...new Set(domains)];
}

function requireDomains(kind: string, { domains }: Opening): readonly string[] {
  if (domains !== undefined) return domains;
  throw usage(`a source of kind ${kind} cannot list its domains: name them with --domains`);
}

function requirePlace(kind: string, place: string, example: string): string {
  if (place !== '') return place;
  throw usage(`${kind} is followed by a place, for example ${kind}:${example}`);
}

function serverOf(kind: string, place: string): ServerAddress {
  const server = parseServerAddress(requirePlace(kind, place, 'ns1.old-provider.example'));
  if (server.ok) return server.value;
  throw usage(server.problem);
}

function accessOf(opening: Opening, url: string, variable: string): ProviderAccess {
  return { url: urlOf(opening, url), key: findKey(opening, variable) };
}

function route53AccessOf(opening: Opening): Route53Access {
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

/** Never an option: others on the machine can see the command line. */
function findKey({ options, environment }: Opening, variable?: string): string {
  const variables = variable === undefined ? [KEY_VARIABLE] : [KEY_VARIABLE, variable];
  const fromFile = options.fromKeyFile === undefined ? undefined : readKeyFile(options.fromKeyFile);
  const key =
    fromFile ?? variables.map((name) => findVariable(environment, name)).find((value) => value !== undefined);
  if (key === undefined) {
    const sentence = `no key for the source: give --from-key-file or set ${variables.join(' or ')}`;
    throw new CommandFailure(exitCodes.authentication, sentence);
  }
  if (/^[\u0021-\u007e]{1,4096}$/.test(key)) return key;
  throw new CommandFailure(exitCodes.authentication, 'the key for the source is not one word');
}

function usage(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, sentence);
}
