import type { ImportJson } from '../../contract/response-shapes.ts';
import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { describeProblem } from '../failures/describe-problem.ts';
import { describeWarning } from '../plan/print-changes.ts';
import type { SkippedRecord } from './copy-source.ts';

/**
 * The service that receives the zones: plans what a zone file would change in a domain, and applies it. The service
 * decides which records of the file it accepts.
 */
export interface CopyTarget {
  readonly client: ZonewrightClient;
  /** True if records that the source does not have are deleted. */
  readonly isReplacing: boolean;
  /** Kept in the history. */
  readonly note: string;
}

/** Changes that a zone file makes, or would make. */
export interface ZoneDifference {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly skipped: readonly SkippedRecord[];
  /** Sentences about likely mistakes. */
  readonly warnings: readonly string[];
}

export interface ZonePlan {
  /** The service does not have the domain yet; it is created together with its records. */
  readonly isNew: boolean;
  /**
   * The revision that was planned for. Set for a replacement, so that only the records that were shown are deleted.
   */
  readonly revision: string | undefined;
  readonly difference: ZoneDifference;
  /** Reasons why the plan cannot be applied, with line numbers of the zone file. */
  readonly problems: readonly string[];
}

export const noDifference: ZoneDifference = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  skipped: [],
  warnings: [],
};

/** Makes a dry run. @throws ApiError or UnreachableError if the service cannot answer */
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

/** @throws ApiError or UnreachableError if nothing was changed, as far as is known */
export async function applyZone(
  target: CopyTarget,
  domain: string,
  text: string,
  { isNew, revision }: ZonePlan,
): Promise<ZoneDifference> {
  return readDifference(await sendZone(target, domain, text, { ifMatch: revision, create: isNew }));
}

/** The individual problems; empty if the error concerns the whole request. */
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
  // A new domain is merged, not replaced: if somebody has created it in the meantime, nothing is deleted that was not
  // shown.
  return isReplacing && !terms.create
    ? client.zoneFiles.replace(domain, text, options)
    : client.zoneFiles.merge(domain, text, options);
}

function readDifference({ changes, set_aside: skipped = [], warnings = [] }: Answer): ZoneDifference {
  return {
    created: changes.created.length,
    updated: changes.updated.length,
    deleted: changes.deleted.length,
    unchanged: changes.unchanged,
    skipped: skipped.map(({ record, reason }) => ({ record, reason })),
    warnings: warnings.map(describeWarning),
  };
}

type Answer = Pick<ImportJson, 'changes'> & Partial<Pick<ImportJson, 'set_aside' | 'warnings'>>;
