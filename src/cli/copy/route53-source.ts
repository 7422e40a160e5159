import { ApiError } from '../../client/api-error.ts';
import { normalDomain } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { checkPage } from './ask-provider.ts';
import { failingZone, selectZones, type CopySource, type SourceZone } from './copy-source.ts';
import { createRoute53Fetch, type Route53Access } from './fetch-route53.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import { fromOctal, readRecordSets } from './route53.ts';
import { listNames } from '../names/list-names.ts';

type Fetch = (path: string) => Promise<JsonObject>;

/** The public hosted zones of an account at Route 53, API version 2013-04-01. */
export function route53Source(access: Route53Access, wanted: readonly string[] | undefined): CopySource {
  const description = `the Route 53 account at ${access.url}`;
  const fetch = createRoute53Fetch(access);
  return {
    description,
    async list(say) {
      const hosted = await listHostedZones(fetch);
      const hidden = hosted.filter(({ isPrivate }) => isPrivate);
      const open = hosted.filter(({ isPrivate }) => !isPrivate);
      const names = new Set(open.map(({ domain }) => domain));
      const zones = [...names].map((domain) => zoneOf(fetch, domain, open));
      const skipped = hidden.filter(({ domain }) => wanted?.includes(domain) ?? true);
      if (skipped.length > 0) {
        say(`skipped private zones of Route 53: ${listNames(skipped.map(({ domain }) => domain))}`);
      }
      const privateOnly = hidden.filter(({ domain }) => !names.has(domain)).map(privateZone);
      return selectZones([...privateOnly, ...zones], wanted ?? [...names], description);
    },
  };
}

interface HostedZone {
  /** `Z1D633PJN98FT9` */
  readonly id: string;
  readonly domain: string;
  /** Private zones are answered only inside some of Amazon's networks. */
  readonly isPrivate: boolean;
}

/** The maximum page sizes. */
const ZONES_A_PAGE = 100;
const SETS_A_PAGE = 300;

const ROOT = '/2013-04-01/hostedzone';

async function listHostedZones(fetch: Fetch): Promise<readonly HostedZone[]> {
  const first = { maxitems: String(ZONES_A_PAGE) };
  const zones = await listPages(fetch, ROOT, 'HostedZones', first, ({ NextMarker: marker }) => ({ marker }));
  return zones.map(readHostedZone);
}

function readHostedZone({ Id: id, Name: name, Config: config }: JsonObject): HostedZone {
  return {
    id: (textOf(id) ?? '').replace(/^\/hostedzone\//, ''),
    domain: normalDomain(fromOctal(textOf(name) ?? '')),
    isPrivate: isObject(config) && config['PrivateZone'] === 'true',
  };
}

function zoneOf(fetch: Fetch, domain: string, hosted: readonly HostedZone[]): SourceZone {
  const ids = hosted.filter((zone) => zone.domain === domain).map(({ id }) => id);
  if (ids.length > 1) {
    const sentence = `the account has ${ids.length} public zones of this name (${ids.join(', ')}): ${CHOOSE}`;
    return failingZone(domain, exitCodes.usage, sentence);
  }
  return {
    domain,
    async load() {
      const path = `${ROOT}/${encodeURIComponent(ids[0])}/rrset`;
      const first = { maxitems: String(SETS_A_PAGE) };
      const sets = await listPages(fetch, path, 'ResourceRecordSets', first, (answer) => ({
        name: answer['NextRecordName'],
        type: answer['NextRecordType'],
        identifier: answer['NextRecordIdentifier'],
      }));
      return readRecordSets(domain, sets);
    },
  };
}

const CHOOSE =
  'export the right one with aws route53 list-resource-record-sets --hosted-zone-id, and copy that file with route53:PATH';

function privateZone({ domain, id }: HostedZone): SourceZone {
  const sentence = `private zones are not copied by name (${id}): ${CHOOSE}`;
  return failingZone(domain, exitCodes.usage, sentence);
}

/**
 * Reads all pages of a list.
 *
 * @param next returns the query for the following page; undefined values are omitted
 * @throws ApiError if an answer has no such list, so that half a zone does not look complete
 */
async function listPages(
  fetch: Fetch,
  path: string,
  member: string,
  first: Readonly<Record<string, string>>,
  next: (answer: JsonObject) => Readonly<Record<string, unknown>>,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  let query = formatQuery(first);
  for (let page = 1; ; page++) {
    checkPage(page, path);
    const answer = await fetch(`${path}?${query}`);
    const list = answer[member];
    if (!Array.isArray(list)) throw new ApiError(200, `Route 53 answered ${path} without ${member}`);
    items.push(...objectsOf(list));
    if (answer['IsTruncated'] !== 'true') return items;
    query = formatQuery({ ...first, ...next(answer) });
  }
}

function formatQuery(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [`${name}=${encodeStrictly(text)}`];
    })
    .join('&');
}

/** Percent-encodes `!'()*` as well, as the signature requires. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
