import type { ImportJson, WarningJson } from '../../contract/response-shapes.ts';
import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { rrType } from '../../dns/codes.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { describeProblem } from '../describe-problem.ts';
import type { SetAsideRecord } from './copy-source.ts';
import { parseZoneName } from './provider-zone.ts';

/**
 * The service that zones are copied to: what a master file would change in a domain, and the change itself. What of the
 * file is taken is for the service to say.
 */
export interface CopyTarget {
  readonly client: ZonewrightClient;
  /** Records that the source does not have are deleted; otherwise they stay. */
  readonly isReplacing: boolean;
  /** For the history. */
  readonly note: string;
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
  /** What the plan was made for, where that matters: what is deleted has to be what was shown. */
  readonly revision: string | undefined;
  readonly difference: ZoneDifference;
  /** Why it cannot be applied, with lines of the master file. */
  readonly problems: readonly string[];
}

export const noDifference: ZoneDifference = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  setAside: [],
  warnings: [],
};

/** Changes nothing. @throws ApiError or UnreachableError when the service cannot say */
export async function planZone(target: CopyTarget, domain: string, text: string): Promise<ZonePlan> {
  try {
    const revision = target.isReplacing ? await target.client.domains.revision(domain) : undefined;
    const answer = await sendZone(target, domain, text, { dryRun: true });
    return { isNew: false, revision, difference: readDifference(answer), problems: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === NOT_FOUND) return planNewDomain(domain, text);
    const problems = readProblems(error);
    if (problems.length === 0) throw error;
    return { isNew: false, revision: undefined, difference: noDifference, problems };
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
    return readDifference(await sendZone(target, domain, text, { ifMatch: revision }));
  } catch (error) {
    if (created !== undefined && error instanceof ApiError) await takeBack(target, domain, created);
    throw error;
  }
}

/** Each thing that is wrong; none where the error speaks of the request as a whole. */
export function readProblems({ problems, more }: ApiError): readonly string[] {
  const sentences = problems.map(describeProblem);
  return more > 0 ? [...sentences, `and ${more} more`] : sentences;
}

const NOT_FOUND = 404;

function sendZone(
  { client, isReplacing, note }: CopyTarget,
  domain: string,
  text: string,
  terms: { readonly dryRun?: true; readonly ifMatch?: string | undefined },
) {
  const options = { ...terms, note };
  return isReplacing
    ? client.zoneFiles.replace(domain, text, options)
    : client.zoneFiles.merge(domain, text, options);
}

/** The revision of the domain as it was created; undefined: it was there already. */
async function createDomain({ client, note }: CopyTarget, domain: string): Promise<string | undefined> {
  const { created, etag } = await client.domains.create({ domain }, { note });
  return created ? etag : undefined;
}

/** Only as long as nobody else has written to it. */
async function takeBack({ client, note }: CopyTarget, domain: string, ifMatch: string): Promise<void> {
  try {
    await client.domains.delete(domain, { ifMatch, note });
  } catch {
    // Why the copy failed is what the person has to hear.
  }
}

/** A dry run needs a domain; of one that is not there yet the file alone can be judged. */
function planNewDomain(domain: string, text: string): ZonePlan {
  const problems: string[] = [];
  let created = 0;
  for (const item of readZoneFile(linesOf(text), parseZoneName(domain))) {
    if (isProblem(item)) problems.push(describeProblem(item));
    else if (item.type !== rrType.SOA) created++;
  }
  return { isNew: true, revision: undefined, difference: { ...noDifference, created }, problems };
}

function readDifference({ changes, set_aside: setAside = [], warnings = [] }: Answer): ZoneDifference {
  return {
    created: changes.created.length,
    updated: changes.updated.length,
    deleted: changes.deleted.length,
    unchanged: changes.unchanged,
    setAside: setAside.map(({ record, reason }) => ({ record, reason })),
    warnings: warnings.map(describeWarning),
  };
}

type Answer = Pick<ImportJson, 'changes'> & Partial<Pick<ImportJson, 'set_aside' | 'warnings'>>;

function describeWarning({ severity, name, type, message }: WarningJson): string {
  return `${severity}: ${[name === '' ? '@' : name, type].join(' ').trim()}: ${message}`;
}
