import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { exitCodeFor, failedReport, reportsAsJson, totalsOf, type DomainReport } from './copy-report.ts';
import type { CopySource, SourceZone } from './copy-source.ts';
import type { CopyTarget } from './copy-target.ts';
import { applyZones, planZones, type PlannedDomain } from './copy-zones.ts';
import { watchForInterruption, type Interruption } from './interruption.ts';
import { openSource, sourcesHelp, type SourceOptions } from './open-source.ts';
import { complainAbout, countOf, printReports, summarise } from './print-reports.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { printJson } from '../terminal/print-list.ts';
import { beside, say, warn } from '../terminal/say.ts';
import { withProgress } from '../terminal/show-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

type CopyOptions = ConnectionOptions &
  ConfirmOptions &
  SourceOptions & { readonly replace?: boolean; readonly note?: string };

/** `zonewright copy`: zones from elsewhere, planned first, safe to repeat. */
export function addCopyCommand(program: Command, terminal: Terminal): void {
  addConfirmOption(addDryRunOption(addConnectionOptions(program.command('copy'))))
    .description('copy zones from files, nameservers and other providers; safe to repeat')
    .requiredOption('--from <source>', 'where from, as below')
    .option('--domains <names>', 'only these: names separated by commas, or @file with one a line')
    .option('--replace', 'delete what the source does not have; else records are added and updated only')
    .option('--note <text>', 'why, for the history; else where from')
    .option('--from-key-file <file>', "the source's key; else ZONEWRIGHT_FROM_KEY; of Route 53 see below")
    .option('--from-url <url>', "another address of the provider's interface")
    .option('--tsig <name:algorithm:file>', 'TSIG key for axfr; else ZONEWRIGHT_TSIG=name:algorithm:secret')
    .option('--names <file>', 'more names to ask for with dns, one a line')
    .addHelpText('after', help)
    .examples(
      'zonewright copy --from file:zones/ --dry-run',
      'zonewright copy --from axfr:ns1.old-provider.example --domains example.com,example.org \\\n' +
        '      --tsig transfer-key:hmac-sha256:tsig.secret',
      'ZONEWRIGHT_FROM_KEY=… zonewright copy --from service:https://dns.old-provider.example',
      'zonewright copy --from cloudflare --from-key-file cloudflare.token --domains @domains.txt',
      'zonewright copy --from digitalocean:exports/ --yes',
      'AWS_PROFILE=dns-reader zonewright copy --from route53 --domains example.com',
      'aws route53 list-resource-record-sets --hosted-zone-id Z123 > exports/example.com.json',
      'zonewright copy --from route53:exports/example.com.json',
      'zonewright copy --from dns:192.0.2.53 --domains example.com --names names.txt',
    )
    .action((options: CopyOptions) => copy(options, terminal));
}

const help = `
${sourcesHelp}

Each domain comes whole or not at all. A copy that was broken off (Ctrl-C, exit code 130), or in which some domains
failed, goes on when the same command is run again: what is here already is found and left as it is.

The key for Route 53 is an access key: the key file has the form of ~/.aws/credentials, which is read too, and
in the environment it is AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where there is one, AWS_SESSION_TOKEN.`;

async function copy(options: CopyOptions, terminal: Terminal): Promise<void> {
  checkAnswerable(options, terminal);
  const client = connect(options, terminal);
  const source = openSource(options, terminal.environment);
  const note = options.note ?? `copied from ${source.description}`.slice(0, MAX_NOTE_CHARACTERS);
  const target = { client, isReplacing: options.replace === true, note };
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

interface Plan {
  readonly domains: readonly PlannedDomain[];
  readonly doubles: readonly DomainReport[];
  readonly isWanted: boolean;
}

/** Changes nothing. */
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
    // Behind the ^C that the terminal shows.
    terminal.complain('\n');
    warn(terminal, 'those under way are finished; Ctrl-C once more ends at once');
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

/** The service takes no longer notes. */
const MAX_NOTE_CHARACTERS = 500;

/** A wrong address or key is said once, not for each domain. */
async function checkService(client: ZonewrightClient): Promise<void> {
  await client.domains.list()[Symbol.asyncIterator]().next();
}

/** Nothing at all is a wrong folder, or a key that may read nothing; it must not look like a copy that is complete. */
async function listZones(source: CopySource, terminal: Terminal): Promise<readonly SourceZone[]> {
  const zones = await source.list((sentence) => {
    warn(terminal, sentence);
  });
  if (zones.length > 0) return zones;
  throw new CommandFailure(exitCodes.notFound, `${source.description} has no domains to copy`);
}

/** A folder can hold a zone twice; which of them is meant is not ours to guess. */
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
      const failure = new CommandFailure(exitCodes.usage, 'the source has it twice; the first was taken');
      doubles.push(failedReport(zone.domain, failure));
    }
    seen.add(zone.domain);
  }
  return { zones, doubles };
}

/** A person is shown the plan and asked; where the answer was given before, the outcome alone is shown. */
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

interface Outcome {
  readonly planned: readonly DomainReport[];
  readonly final: readonly DomainReport[];
  readonly isApplied: boolean;
}

function report(
  options: CopyOptions,
  terminal: Terminal,
  source: CopySource,
  { planned, final, isApplied }: Outcome,
): void {
  if (options.json === true) printJson(terminal, reportsAsJson(source.description, isApplied, final));
  else {
    printReports(terminal, final, options);
    // What was shown before the question is not said again.
    const wasShown = options.yes !== true && options.dryRun !== true && totalsOf(planned).changed > 0;
    complainAbout(terminal, wasShown ? final.filter((domain) => !planned.includes(domain)) : final);
    say(terminal, summarise(final, isApplied));
  }
  const { failed, left, domains } = totalsOf(final);
  if (left > 0) {
    const sentence = `broken off: ${countOf(left, 'domain')} of ${domains} are left; run it again, and it goes on with those`;
    throw new CommandFailure(exitCodes.interrupted, sentence);
  }
  const exitCode = exitCodeFor(final);
  if (exitCode === exitCodes.done) return;
  const sentence = `${failed} of ${countOf(domains, 'domain')} failed; run it again when that is mended`;
  throw new CommandFailure(exitCode, sentence);
}
