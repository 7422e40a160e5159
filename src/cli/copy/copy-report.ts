import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import type { SetAsideRecord } from './copy-source.ts';
import { noDifference, type ZoneDifference, type ZonePlan } from './copy-target.ts';

/** Where one domain stands: planned, or done. */
export interface DomainReport {
  readonly domain: string;
  readonly status: 'planned' | 'unchanged' | 'copied' | 'failed' | 'left';
  readonly isNew: boolean;
  readonly difference: ZoneDifference;
  /** Of the source; those of the service are in the difference. */
  readonly setAside: readonly SetAsideRecord[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** Of a failed domain. */
  readonly exitCode: number;
}

/** True where applying the plan would change something. */
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
    setAside: [],
    notes: [],
    problems: [message],
    exitCode,
  };
}

/** Zero when all went well; the code of the failures when they are of one kind. */
export function exitCodeFor(reports: readonly DomainReport[]): number {
  const codes = new Set(reports.filter(({ status }) => status === 'failed').map(({ exitCode }) => exitCode));
  const [first = exitCodes.done] = codes;
  return codes.size > 1 ? exitCodes.failed : first;
}

/** The one document of `--json`. */
export function reportsAsJson(source: string, isApplied: boolean, reports: readonly DomainReport[]): object {
  return {
    source,
    applied: isApplied,
    domains: reports.map(({ domain, status, isNew, difference, setAside, notes, problems }) => ({
      domain,
      status,
      new: isNew,
      created: difference.created,
      updated: difference.updated,
      deleted: difference.deleted,
      unchanged: difference.unchanged,
      set_aside: [...setAside, ...difference.setAside],
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
  /** Planned and not begun, since the copy was broken off. */
  readonly left: number;
  readonly changed: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly set_aside: number;
}

/** Domains that failed, or were left, count as domains and as that, and in nothing else. */
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
    set_aside: sum(({ difference, setAside }) => difference.setAside.length + setAside.length),
  };
}
