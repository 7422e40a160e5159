import { clip } from '../../dns/clip.ts';
import { CommandFailure } from '../command-failure.ts';
import { checkUrl } from '../connection.ts';
import { parseServerAddress, type ServerAddress } from '../dns/server-address.ts';
import { findTsigKey } from '../dns/tsig-key.ts';
import { findVariable, type Environment } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { readKeyFile } from '../file-failures.ts';
import { findAwsCredentials } from './aws-credentials.ts';
import { axfrSource } from './axfr-source.ts';
import { CLOUDFLARE_URL, cloudflareExport, cloudflareSource } from './cloudflare.ts';
import { type CopySource } from './copy-source.ts';
import { DIGITALOCEAN_URL, digitaloceanExport, digitaloceanSource } from './digitalocean.ts';
import type { ProviderAccess } from './fetch-json.ts';
import { ROUTE53_REQUEST_INTERVAL_MS, ROUTE53_URL, type Route53Access } from './fetch-route53.ts';
import { jsonFileSource } from './json-files.ts';
import { liveDnsSource } from './live-dns-source.ts';
import { masterFileSource } from './master-file-source.ts';
import { readNames } from '../dns/read-names.ts';
import { normalDomain } from '../dns/zone-names.ts';
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

/** One entry a kind of source: what to write, and how it is opened. */
const sources: Readonly<Record<string, (opening: Opening) => CopySource>> = {
  file: ({ place, domains }) => masterFileSource(requirePlace('file', place, 'zones/'), domains),
  axfr: (opening) =>
    axfrSource(
      serverOf('axfr', opening.place),
      findTsigKey(opening.options.tsig, opening.environment),
      requireDomains('axfr', opening),
    ),
  service: (opening) =>
    serviceSource(
      requirePlace('service', opening.place, 'https://dns.example.net'),
      findKey(opening),
      opening.domains,
    ),
  cloudflare: (opening) =>
    opening.place === ''
      ? cloudflareSource(accessOf(opening, CLOUDFLARE_URL, 'CLOUDFLARE_API_TOKEN'), opening.domains)
      : jsonFileSource(cloudflareExport, opening.place, opening.domains),
  digitalocean: (opening) =>
    opening.place === ''
      ? digitaloceanSource(accessOf(opening, DIGITALOCEAN_URL, 'DIGITALOCEAN_ACCESS_TOKEN'), opening.domains)
      : jsonFileSource(digitaloceanExport, opening.place, opening.domains),
  route53: (opening) =>
    opening.place === ''
      ? route53Source(route53AccessOf(opening), opening.domains)
      : jsonFileSource(route53Export, opening.place, opening.domains),
  dns: (opening) =>
    liveDnsSource(
      serverOf('dns', opening.place),
      requireDomains('dns', opening),
      opening.options.names === undefined ? [] : readNames(opening.options.names),
    ),
};

/** For completion. */
export const sourceKinds: readonly string[] = Object.keys(sources);

/** @throws CommandFailure when the words do not name a source, or something of it is missing */
export function openSource(options: SourceOptions, environment: Environment): CopySource {
  const kind = /^[a-z0-9]+/.exec(options.from)?.[0] ?? '';
  const place = options.from.slice(kind.length + 1);
  const isKind =
    Object.hasOwn(sources, kind) && (options.from === kind || options.from.startsWith(`${kind}:`));
  if (!isKind) {
    const known = sourceKinds.join(', ');
    throw usage(`${clip(options.from)} is not a source: write kind:place, the kinds are ${known}`);
  }
  const domains = options.domains === undefined ? undefined : readDomains(options.domains);
  return sources[kind]({ place, domains, options, environment });
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
