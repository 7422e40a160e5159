/**
 * Copies zones into a service in two steps, each safe to repeat:
 *
 *     source ─▶ load ─▶ dry run ─▶ plan │ yes? │ ─▶ create, import ─▶ report
 *
 * A domain that fails does not affect the others.
 */
import { ApiError } from '../../client/api-error.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import { failedReport, hasChanges, type DomainReport } from './copy-report.ts';
import type { LoadedZone, SourceZone } from './copy-source.ts';
import { applyZone, planZone, readProblems, type CopyTarget, type ZonePlan } from './copy-target.ts';

export interface PlannedDomain {
  readonly report: DomainReport;
  /** Undefined if there is nothing to do or the plan has problems. */
  readonly pending: { readonly text: string; readonly plan: ZonePlan } | undefined;
}

/**
 * Concurrent writes are faster, because the service commits waiting writes together; the source must handle this load
 * too.
 */
const ZONES_AT_ONCE = 16;

export function planZones(
  target: CopyTarget,
  zones: readonly SourceZone[],
  onDone: () => void,
): Promise<readonly PlannedDomain[]> {
  return runConcurrently(zones, ZONES_AT_ONCE, async (zone) => {
    const planned = await planOne(target, zone);
    onDone();
    return planned;
  });
}

/**
 * Applies the plans that change something.
 *
 * @param signal once aborted, running domains are finished and no other is started
 */
export function applyZones(
  target: CopyTarget,
  planned: readonly PlannedDomain[],
  onDone: () => void,
  signal: AbortSignal,
): Promise<readonly DomainReport[]> {
  return runConcurrently(planned, ZONES_AT_ONCE, async (domain) => {
    if (domain.pending === undefined) return domain.report;
    if (signal.aborted) return { ...domain.report, status: 'left' };
    const report = await applyOne(target, domain.report, domain.pending);
    onDone();
    return report;
  });
}

async function planOne(target: CopyTarget, source: SourceZone): Promise<PlannedDomain> {
  const { domain } = source;
  try {
    const zone = await source.load();
    const plan = await planZone(target, domain, zone.text);
    const report = reportPlan(domain, zone, plan);
    return { report, pending: report.status === 'planned' ? { text: zone.text, plan } : undefined };
  } catch (error) {
    return { report: failedReport(domain, error), pending: undefined };
  }
}

function reportPlan(domain: string, { skipped, notes }: LoadedZone, plan: ZonePlan): DomainReport {
  const { isNew, difference, problems } = plan;
  const status = problems.length > 0 ? 'failed' : hasChanges(plan) ? 'planned' : 'unchanged';
  const exitCode = status === 'failed' ? exitCodes.refused : exitCodes.done;
  return { domain, status, isNew, difference, skipped, notes, problems, exitCode };
}

async function applyOne(
  target: CopyTarget,
  report: DomainReport,
  { text, plan }: NonNullable<PlannedDomain['pending']>,
): Promise<DomainReport> {
  try {
    const difference = await applyZone(target, report.domain, text, plan);
    return { ...report, status: 'copied', difference };
  } catch (error) {
    const { exitCode, message } = getFailure(error);
    const found = error instanceof ApiError ? readProblems(error) : [];
    return { ...report, status: 'failed', problems: found.length > 0 ? found : [message], exitCode };
  }
}
