import type { ImportJson } from '../../contract/response-shapes.ts';
import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { describeProblem } from '../failures/describe-problem.ts';
import { describeWarning } from '../plan/print-changes.ts';
import type { SetAsideRecord } from './copy-source.ts';

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
  /** The service does not have the domain yet: it is created with the zone. */
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
    return await planFor(target, domain, text, { isNew: false, revision });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error;
    return await planFor(target, domain, text, { isNew: true, revision: undefined });
  }
}

const NOT_FOUND = 404;

async function planFor(
  target: CopyTarget,
  domain: string,
  text: string,
  plan: Pick<ZonePlan, 'isNew' | 'revision'>,
): Promise<ZonePlan> {
  try {
    const answer = await sendZone(target, domain, text, { dryRun: true, create: plan.isNew });
    return { ...plan, difference: readDifference(answer), problems: [] };
  } catch (error) {
    const problems = error instanceof ApiError ? readProblems(error) : [];
    if (problems.length === 0) throw error;
    return { ...plan, difference: noDifference, problems };
  }
}

/** @throws ApiError or UnreachableError when nothing was changed, as far as is known */
export async function applyZone(
  target: CopyTarget,
  domain: string,
  text: string,
  { isNew, revision }: ZonePlan,
): Promise<ZoneDifference> {
  return readDifference(await sendZone(target, domain, text, { ifMatch: revision, create: isNew }));
}

/** Each thing that is wrong; none where the error speaks of the request as a whole. */
export function readProblems({ problems, more }: ApiError): readonly string[] {
  const sentences = problems.map(describeProblem);
  return more > 0 ? [...sentences, `and ${more} more`] : sentences;
}

interface Terms {
  readonly dryRun?: true;
  readonly ifMatch?: string | undefined;
  readonly create: boolean;
}

function sendZone({ client, isReplacing, note }: CopyTarget, domain: string, text: string, terms: Terms) {
  const options = { ...terms, note };
  // Into a new domain it is merged: should it be there by now, nothing is deleted that nobody was shown.
  return isReplacing && !terms.create
    ? client.zoneFiles.replace(domain, text, options)
    : client.zoneFiles.merge(domain, text, options);
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
