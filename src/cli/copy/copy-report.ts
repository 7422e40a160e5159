import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import { viewAsJson, type ParentView } from '../signing/parent-view.ts';
import type { SkippedRecord } from './copy-source.ts';
import { noDifference, type ZoneDifference } from './copy-target.ts';
import { noneKept, type KeptRecords } from './plan-zone.ts';

/** The state of one domain during a copy. */
export interface DomainReport {
  readonly domain: string;
  readonly status: 'planned' | 'unchanged' | 'copied' | 'failed' | 'left';
  readonly isNew: boolean;
  readonly difference: ZoneDifference;
  readonly kept: KeptRecords;
  /** Records that the source skipped; those that the service skipped are in the difference. */
  readonly skipped: readonly SkippedRecord[];
  readonly notes: readonly string[];
  /** The DS records at the parent zone, if they matter for the move. */
  readonly parent?: ParentView | undefined;
  readonly problems: readonly string[];
  /** The exit code of a failed domain. */
  readonly exitCode: number;
}

/** True if applying the plan would change something. */
export function hasChanges({ isNew, difference }: Pick<DomainReport, 'isNew' | 'difference'>): boolean {
  const { created, updated, deleted, changesSoa } = difference;
  return isNew || changesSoa || created + updated + deleted > 0;
}

export function failedReport(domain: string, error: unknown): DomainReport {
  const { exitCode, message } = getFailure(error);
  return {
    domain,
    status: 'failed',
    isNew: false,
    difference: noDifference,
    kept: noneKept,
    skipped: [],
    notes: [],
    problems: [message],
    exitCode,
  };
}

/**
 * Returns zero if all domains succeeded, the common code of all failures, or `failed` if their codes differ. A copy
 * without failures is incomplete if something needs attention.
 */
export function exitCodeFor(reports: readonly DomainReport[]): number {
  const codes = new Set(reports.filter(({ status }) => status === 'failed').map(({ exitCode }) => exitCode));
  const [first = exitCodes.done] = codes;
  if (codes.size > 0) return codes.size > 1 ? exitCodes.failed : first;
  return needsAttention(totalsOf(reports)) ? exitCodes.incomplete : exitCodes.done;
}

/** True if the domains may answer otherwise than at the source, although nothing failed. */
export function needsAttention({ lost, kept }: Totals): boolean {
  return lost > 0 || kept.unknown > 0 || kept.uncompared > 0;
}

/** The document that `--json` prints. */
export function reportsAsJson(source: string, isApplied: boolean, reports: readonly DomainReport[]): object {
  return {
    source,
    applied: isApplied,
    domains: reports.map(({ domain, status, isNew, difference, kept, skipped, notes, parent, problems }) => ({
      domain,
      status,
      new: isNew,
      created: difference.created,
      updated: difference.updated,
      deleted: difference.deleted,
      unchanged: difference.unchanged,
      ...(difference.changes && { changes: difference.changes }),
      deleted_records: difference.deletedRecords,
      kept,
      set_aside: [
        ...skipped.map((entry) => ({ ...entry, expected: false })),
        ...difference.skipped.map((entry) => ({ ...entry, expected: true })),
      ],
      warnings: difference.warnings,
      adjusted: difference.adjusted,
      notes,
      ...(parent && { parent: viewAsJson(parent) }),
      problems,
    })),
    totals: totalsOf(reports),
  };
}

export interface Totals {
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
  /** Skipped records that somebody must replace. */
  readonly lost: number;
  /** Records that the source does not have and that stay. */
  readonly kept: {
    readonly here: number;
    readonly elsewhere: number;
    readonly gone: number;
    readonly unknown: number;
    /** Domains. */
    readonly uncompared: number;
  };
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
    lost: sum(({ skipped }) => skipped.length),
    kept: {
      here: sum(({ kept }) => kept.here),
      elsewhere: sum(({ kept }) => kept.elsewhere),
      gone: sum(({ kept }) => kept.gone),
      unknown: sum(({ kept }) => kept.unknown),
      uncompared: sum(({ kept }) => Number(kept.uncompared)),
    },
  };
}
