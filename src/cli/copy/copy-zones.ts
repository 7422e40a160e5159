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
import { describeParentOnly, describeSignedSource } from '../signing/describe-signing.ts';
import type { ParentView } from '../signing/parent-view.ts';
import { failedReport, hasChanges, type DomainReport } from './copy-report.ts';
import type { LoadedZone, SourceZone } from './copy-source.ts';
import { readDifference, readProblems, sendZone, type CopyTarget, type ZoneWrite } from './copy-target.ts';
import { planZone, type ZonePlan } from './plan-zone.ts';

export interface PlannedDomain {
  readonly report: DomainReport;
  /** Undefined if there is nothing to do or the plan has problems. */
  readonly pending: ZoneWrite | undefined;
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
    const plan = await planZone(target, domain, zone);
    const { notes, parent } = await lookAtSigning(target, domain, plan);
    const report = { ...reportPlan(domain, { ...zone, notes: [...notes, ...zone.notes] }, plan), parent };
    return { report, pending: report.status === 'planned' ? plan.write : undefined };
  } catch (error) {
    return { report: failedReport(domain, error), pending: undefined };
  }
}

/**
 * The service skips the keys and signatures of a signed zone, each with a line. A zone can be signed all the same if the
 * source does not show it: a provider's interface, or the file of a server that signs in memory. Then the parent zone has
 * a DS record.
 */
async function lookAtSigning(
  { askParent }: CopyTarget,
  domain: string,
  { difference }: ZonePlan,
): Promise<{ readonly notes: readonly string[]; readonly parent: ParentView | undefined }> {
  const isSigned = difference.skipped.some(({ record }) => SIGNED.test(record));
  const keyTtl = difference.skipped
    .map(({ record }) => KEY_TTL.exec(record)?.[1])
    .find((ttl) => ttl !== undefined);
  const parent = await askParent(domain, isSigned);
  if (isSigned)
    return {
      notes: [describeSignedSource(domain, parent, keyTtl === undefined ? undefined : Number(keyTtl))],
      parent,
    };
  const said = parent?.state === 'unknown' ? undefined : describeParentOnly(domain, parent);
  return said === undefined ? { notes: [], parent: undefined } : { notes: [said], parent };
}

const SIGNED = /^\S+ (?:\d+ )?IN (?:DNSKEY|RRSIG) /;
const KEY_TTL = /^\S+ (\d+) IN DNSKEY /;

function reportPlan(domain: string, { skipped, notes }: LoadedZone, plan: ZonePlan): DomainReport {
  const { difference, kept, problems } = plan;
  const { isNew } = plan.write;
  const status = problems.length > 0 ? 'failed' : hasChanges({ isNew, difference }) ? 'planned' : 'unchanged';
  const exitCode = status === 'failed' ? exitCodes.refused : exitCodes.done;
  return { domain, status, isNew, difference, kept, skipped, notes, problems, exitCode };
}

async function applyOne(target: CopyTarget, report: DomainReport, write: ZoneWrite): Promise<DomainReport> {
  try {
    const difference = readDifference(await sendZone(target, report.domain, write), target);
    // A replacement also counts records as unchanged that only the plan knows not to be the source's.
    return {
      ...report,
      status: 'copied',
      difference: { ...difference, unchanged: report.difference.unchanged },
    };
  } catch (error) {
    const { exitCode, message } = getFailure(error);
    const found = error instanceof ApiError ? readProblems(error, write) : [];
    return { ...report, status: 'failed', problems: found.length > 0 ? found : [message], exitCode };
  }
}
