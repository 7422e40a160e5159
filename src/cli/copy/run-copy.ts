import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import { connect, type ConnectionOptions } from '../connection/connection.ts';
import { exitCodeFor, failedReport, reportsAsJson, totalsOf, type DomainReport } from './copy-report.ts';
import { formatCopyNote, sourceInNote } from './copy-note.ts';
import type { CopySource, SourceZone } from './copy-source.ts';
import type { CopyTarget } from './copy-target.ts';
import { applyZones, planZones, type PlannedDomain } from './copy-zones.ts';
import { watchForInterruption, type Interruption } from './interruption.ts';
import { openSource, type SourceOptions } from './open-source.ts';
import { complainAbout, printReports } from './print-reports.ts';
import { describeAttention, summarise } from './summarise-copy.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { createAskParent } from '../signing/parent-ds.ts';
import type { ResolverOptions } from '../signing/resolver-option.ts';
import { printJson } from '../terminal/print-list.ts';
import { countOf } from '../terminal/count-of.ts';
import { beside, say, warn } from '../terminal/say.ts';
import { withProgress } from '../terminal/show-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type CopyOptions = ConnectionOptions &
  ConfirmOptions &
  SourceOptions &
  ResolverOptions & {
    readonly replace?: boolean;
    readonly keepDeleted?: boolean;
    readonly earlierSource?: string;
    readonly records?: boolean;
    readonly note?: string;
  };

/** Plans the copy, asks, and copies domain by domain. @throws CommandFailure unless every domain was copied */
export async function runCopy(options: CopyOptions, terminal: Terminal): Promise<void> {
  checkAnswerable(options, terminal);
  const client = connect(options, terminal);
  const source = await openSource(options, terminal.environment);
  const target = targetOf(client, options, source, terminal);
  const interruption = watchForInterruption(terminal);
  try {
    const plan = await interruption.unlessInterrupted(planAll(options, terminal, source, target));
    const reports = [...plan.domains.map(({ report }) => report), ...plan.doubles];
    const final = plan.isWanted
      ? [...(await applyAll(terminal, target, plan.domains, interruption)), ...plan.doubles]
      : reports;
    report(options, terminal, source, { planned: reports, final, isApplied: plan.isWanted });
  } finally {
    interruption.end();
  }
}

function targetOf(
  client: ZonewrightClient,
  options: CopyOptions,
  { description }: CopySource,
  terminal: Terminal,
): CopyTarget {
  const sources = [description, options.earlierSource].filter((source) => source !== undefined);
  return {
    client,
    isReplacing: options.replace === true,
    keepsDeleted: options.keepDeleted === true,
    note: formatCopyNote(options.note, description),
    sources: new Set(sources.map(sourceInNote)),
    isListing: options.records === true,
    askParent: createAskParent(options, terminal),
  };
}

interface Plan {
  readonly domains: readonly PlannedDomain[];
  /** Domains that the source has a second time; they count as failed. */
  readonly doubles: readonly DomainReport[];
  /** There is something to do, and the user agreed to it. */
  readonly isWanted: boolean;
}

/** Only reads. */
async function planAll(
  options: CopyOptions,
  terminal: Terminal,
  source: CopySource,
  target: CopyTarget,
): Promise<Plan> {
  await checkService(target.client);
  if (source.caution !== undefined) warn(terminal, source.caution);
  const { zones, doubles } = withoutDoubles(await listZones(source, terminal));
  const domains = await withProgress(
    terminal,
    { phase: 'planning', total: zones.length, unit: 'domains' },
    (advance) =>
      planZones(target, zones, () => {
        advance(1);
      }),
  );
  const reports = [...domains.map(({ report }) => report), ...doubles];
  const isWanted =
    domains.some(({ pending }) => pending !== undefined) && (await isAgreed(options, terminal, reports));
  return { domains, doubles, isWanted };
}

function applyAll(
  terminal: Terminal,
  target: CopyTarget,
  planned: readonly PlannedDomain[],
  { signal }: Interruption,
): Promise<readonly DomainReport[]> {
  signal.addEventListener('abort', () => {
    // Ends the line on which the terminal shows ^C.
    terminal.complain('\n');
    warn(terminal, 'finishing the domains in progress; press Ctrl-C again to stop immediately');
  });
  const pending = planned.filter(({ pending: work }) => work !== undefined).length;
  return withProgress(terminal, { phase: 'copying', total: pending, unit: 'domains' }, (advance) =>
    applyZones(
      target,
      planned,
      () => {
        advance(1);
      },
      signal,
    ),
  );
}

/** Reports a wrong address or key once instead of once per domain. */
async function checkService(client: ZonewrightClient): Promise<void> {
  await client.domains.list()[Symbol.asyncIterator]().next();
}

/** An empty source is a wrong folder or a key without read access; it must not look like a complete copy. */
async function listZones(source: CopySource, terminal: Terminal): Promise<readonly SourceZone[]> {
  const zones = await source.list((sentence) => {
    warn(terminal, sentence);
  });
  if (zones.length > 0) return zones;
  throw new CommandFailure(exitCodes.notFound, `${source.description} has no domains to copy`);
}

/** A folder can hold a zone twice. The first is copied, and the second is reported as failed. */
function withoutDoubles(all: readonly SourceZone[]): {
  readonly zones: readonly SourceZone[];
  readonly doubles: readonly DomainReport[];
} {
  const seen = new Set<string>();
  const zones: SourceZone[] = [];
  const doubles: DomainReport[] = [];
  for (const zone of all) {
    if (!seen.has(zone.domain)) zones.push(zone);
    else {
      const failure = new CommandFailure(
        exitCodes.usage,
        'the source has this domain twice; only the first was used',
      );
      doubles.push(failedReport(zone.domain, failure));
    }
    seen.add(zone.domain);
  }
  return { zones, doubles };
}

/** Shows the plan and asks, unless --yes or --dry-run has answered already. */
async function isAgreed(
  options: CopyOptions,
  terminal: Terminal,
  reports: readonly DomainReport[],
): Promise<boolean> {
  if (options.dryRun === true) return false;
  if (options.yes === true) return true;
  printReports(beside(terminal), reports, options);
  complainAbout(terminal, reports);
  const { changed, created, updated, deleted } = totalsOf(reports);
  const records = `create ${created}, update ${updated}, delete ${deleted} records`;
  return isConfirmed(terminal, `Change ${countOf(changed, 'domain')}: ${records}?`);
}

interface CopyReports {
  readonly planned: readonly DomainReport[];
  /** The same reports after copying. */
  readonly final: readonly DomainReport[];
  readonly isApplied: boolean;
}

function report(
  options: CopyOptions,
  terminal: Terminal,
  source: CopySource,
  { planned, final, isApplied }: CopyReports,
): void {
  if (options.json === true) printJson(terminal, reportsAsJson(source.description, isApplied, final));
  else {
    printReports(terminal, final, options);
    // Complaints shown before the question are not repeated.
    const wasShown = options.yes !== true && options.dryRun !== true && totalsOf(planned).changed > 0;
    complainAbout(terminal, wasShown ? final.filter((domain) => !planned.includes(domain)) : final);
    say(terminal, summarise(final, isApplied));
  }
  const { failed, left, domains } = totalsOf(final);
  if (left > 0) {
    const sentence = `interrupted: ${left} of ${countOf(domains, 'domain')} left; run the same command again to continue`;
    throw new CommandFailure(exitCodes.interrupted, sentence);
  }
  const exitCode = exitCodeFor(final);
  if (exitCode === exitCodes.done) return;
  if (exitCode === exitCodes.incomplete)
    throw new CommandFailure(exitCode, describeAttention(totalsOf(final)));
  const sentence = `${failed} of ${countOf(domains, 'domain')} failed; fix the problem, then run the same command again`;
  throw new CommandFailure(exitCode, sentence);
}
