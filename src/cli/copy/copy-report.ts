import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import type { SkippedRecord } from './copy-source.ts';
import { noDifference, type ZoneDifference, type ZonePlan } from './copy-target.ts';

/** The state of one domain during a copy. */
export interface DomainReport {
  readonly domain: string;
  readonly status: 'planned' | 'unchanged' | 'copied' | 'failed' | 'left';
  readonly isNew: boolean;
  readonly difference: ZoneDifference;
  /** Records that the source skipped; those that the service skipped are in the difference. */
  readonly skipped: readonly SkippedRecord[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** The exit code of a failed domain. */
  readonly exitCode: number;
}

/** True if applying the plan would change something. */
export function hasChanges({ isNew, difference }: Pick<ZonePlan, 'isNew' | 'difference'>): boolean {
  return isNew || difference.created + difference.updated + difference.deleted > 0;
}

export function failedReport(domain: string, error: unknown): DomainReport {
  const { exitCode, message } = getFailure(error);
  return {
    domain,
    status: 'failed',
    isNew: false,
    difference: noDifference,
    skipped: [],
    notes: [],
    problems: [message],
    exitCode,
  };
}

/** Returns zero if all domains succeeded, the common code of all failures, or `failed` if their codes differ. */
export function exitCodeFor(reports: readonly DomainReport[]): number {
  const codes = new Set(reports.filter(({ status }) => status === 'failed').map(({ exitCode }) => exitCode));
  const [first = exitCodes.done] = codes;
  return codes.size > 1 ? exitCodes.failed : first;
}

/** The document that `--json` prints. */
export function reportsAsJson(source: string, isApplied: boolean, reports: readonly DomainReport[]): object {
  return {
    source,
    applied: isApplied,
    domains: reports.map(({ domain, status, isNew, difference, skipped, notes, problems }) => ({
      domain,
      status,
      new: isNew,
      created: difference.created,
      updated: difference.updated,
      deleted: difference.deleted,
      unchanged: difference.unchanged,
      set_aside: [...skipped, ...difference.skipped],
      warnings: difference.warnings,
      notes,
      problems,
    })),
    totals: totalsOf(reports),
  };
}

interface Totals {
  readonly domains: number;
  readonly failed: number;
  /** Planned but not started, because the copy was interrupted. */
  readonly left: number;
  readonly changed: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly set_aside: number;
}

/** Counts failed and left domains only as such, not in the counts of records. */
export function totalsOf(reports: readonly DomainReport[]): Totals {
  const failed = reports.filter(({ status }) => status === 'failed').length;
  const left = reports.filter(({ status }) => status === 'left').length;
  const good = reports.filter(({ status }) => status !== 'failed' && status !== 'left');
  const sum = (count: (report: DomainReport) => number): number =>
    good.reduce((total, report) => total + count(report), 0);
  return {
    domains: reports.length,
    failed,
    left,
    changed: good.filter(hasChanges).length,
    created: sum(({ difference }) => difference.created),
    updated: sum(({ difference }) => difference.updated),
    deleted: sum(({ difference }) => difference.deleted),
    unchanged: sum(({ difference }) => difference.unchanged),
    set_aside: sum(({ difference, skipped }) => difference.skipped.length + skipped.length),
  };
}
