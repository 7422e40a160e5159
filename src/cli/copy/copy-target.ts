import { ApiError } from '../../client/api-error.ts';
import { sendRequest, type Endpoint } from '../../client/send-request.ts';
import { rrType } from '../../dns/codes.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { isObject, objectsOf, textOf, type JsonObject } from './json-values.ts';
import type { SetAsideRecord } from './copy-source.ts';
import { parseZoneName } from './provider-zone.ts';

/**
 * The service that zones are copied to: what a master file would change in a domain, and the change itself. What of the
 * file is taken is for the service to say.
 */
export interface CopyTarget {
  readonly endpoint: Endpoint;
  /** Records that the source does not have are deleted; otherwise they stay. */
  readonly isReplacing: boolean;
}

/** What a master file changes, or has changed. */
export interface ZoneDifference {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly setAside: readonly SetAsideRecord[];
  /** Sentences about what will not work as it is. */
  readonly warnings: readonly string[];
}

export interface ZonePlan {
  /** The service does not have the domain yet; then the counts are those of the file, of which some may be set aside. */
  readonly isNew: boolean;
  /** The revision that the plan was made for, where the service says it. */
  readonly revision: string | undefined;
  readonly difference: ZoneDifference;
  /** Why it cannot be applied, with lines of the master file. */
  readonly problems: readonly string[];
}

/** A million records take the service under a minute; it may have others to serve. */
const IMPORT_SECONDS = 300;

/** Changes nothing. @throws ApiError or UnreachableError when the service cannot say */
export async function planZone(target: CopyTarget, domain: string, text: string): Promise<ZonePlan> {
  try {
    const answer = await sendZoneFile(target, domain, text, '?dry_run=true');
    const difference = readDifference(answer.body);
    return { isNew: false, revision: answer.etag, difference, problems: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return planNewDomain(domain, text);
    const problems = readProblems(error);
    if (problems.length === 0) throw error;
    return { isNew: false, revision: undefined, difference: nothing, problems };
  }
}

/**
 * Creates the domain where it is not there, and makes the change. A domain that was created in vain is taken back.
 *
 * @throws ApiError or UnreachableError when nothing was changed, as far as is known
 */
export async function applyZone(
  target: CopyTarget,
  domain: string,
  text: string,
  { isNew, revision }: ZonePlan,
): Promise<ZoneDifference> {
  const created = isNew ? await createDomain(target, domain) : undefined;
  try {
    return readDifference((await sendZoneFile(target, domain, text, '', revision)).body);
  } catch (error) {
    if (created !== undefined && error instanceof ApiError) await takeBack(target, domain, created);
    throw error;
  }
}

export const nothing: ZoneDifference = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  setAside: [],
  warnings: [],
};

/** Sentences of an error that names all problems at once; the error's own sentence where there is no list. */
export function readProblems({ problems, message }: ApiError): readonly string[] {
  const sentences = objectsOf(problems).map(({ line, column, message: sentence }) => {
    const place = line === undefined ? '' : `line ${textOf(line)}, column ${textOf(column)}: `;
    return `${place}${textOf(sentence) ?? message}`;
  });
  return sentences;
}

function sendZoneFile(
  { endpoint, isReplacing }: CopyTarget,
  domain: string,
  zoneFile: string,
  query: string,
  ifMatch?: string,
) {
  return sendRequest(endpoint, isReplacing ? 'PUT' : 'POST', `${domainPath(domain)}/zonefile${query}`, {
    zoneFile,
    ifMatch,
    waitSeconds: IMPORT_SECONDS,
  });
}

/** The revision of the domain as it was created; undefined: it was there, or the service does not say. */
async function createDomain({ endpoint }: CopyTarget, domain: string): Promise<string | undefined> {
  const { status, etag } = await sendRequest(endpoint, 'POST', '/domains', { body: { domain } });
  return status === 201 ? etag : undefined;
}

/** Only as long as nobody else has written to it. */
async function takeBack({ endpoint }: CopyTarget, domain: string, ifMatch: string): Promise<void> {
  try {
    await sendRequest(endpoint, 'DELETE', domainPath(domain), { ifMatch });
  } catch {
    // Why the copy failed is what the person has to hear.
  }
}

/** A dry run needs a domain; of one that is not there yet the file alone can be judged. */
function planNewDomain(domain: string, text: string): ZonePlan {
  const problems: string[] = [];
  let created = 0;
  for (const item of readZoneFile(linesOf(text), parseZoneName(domain))) {
    if (isProblem(item)) problems.push(`line ${item.line}, column ${item.column}: ${item.message}`);
    else if (item.type !== rrType.SOA) created++;
  }
  return { isNew: true, revision: undefined, difference: { ...nothing, created }, problems };
}

function readDifference(body: unknown): ZoneDifference {
  const answer: JsonObject = isObject(body) ? body : {};
  const changes: JsonObject = isObject(answer['changes']) ? answer['changes'] : {};
  return {
    created: countOf(changes['created']),
    updated: countOf(changes['updated']),
    deleted: countOf(changes['deleted']),
    unchanged: countOf(changes['unchanged']),
    setAside: objectsOf(answer['set_aside']).map(({ record, reason }) => ({
      record: textOf(record) ?? '',
      reason: textOf(reason) ?? '',
    })),
    warnings: objectsOf(answer['warnings']).map(readWarning),
  };
}

function readWarning({ severity, name, type, message }: JsonObject): string {
  const place = [name === '' ? '@' : textOf(name), textOf(type)]
    .filter((word) => word !== undefined)
    .join(' ');
  return `${textOf(severity) ?? 'warning'}: ${place === '' ? '' : `${place}: `}${textOf(message) ?? ''}`;
}

/** Lists are counted; a number is the count. */
function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : 0;
}

function domainPath(domain: string): string {
  return `/domains/${encodeURIComponent(domain)}`;
}
