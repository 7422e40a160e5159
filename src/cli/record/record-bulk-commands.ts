import { ApiError } from '../../client/api-error.ts';
import type { RecordPatch } from '../../client/record-batches.ts';
import type { RecordFilter } from '../../client/records-client.ts';
import { isDryRun } from '../../client/write-options.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { ChangesJson, RecordJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { parseTtl } from '../command-line/parse-ttl.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import {
  complainAbout,
  complainOfWrite,
  describeCounts,
  NOTHING_TO_CHANGE,
  printChanges,
} from '../plan/print-changes.ts';
import { countOf } from '../terminal/count-of.ts';
import { printJson } from '../terminal/print-list.ts';
import { beside, say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type BulkOptions = ConnectionOptions & ConfirmOptions & { readonly note?: string; readonly type?: string };

/** Changes of the records of one domain. */
interface DomainUpdates {
  readonly domain: string;
  /** The revision before the records were read: a later change of the domain makes its write fail. */
  readonly ifMatch: string | undefined;
  readonly update: readonly (RecordPatch & { readonly id: string })[];
}

/** `zonewright record ttl`, `rename` and `replace`: many records at once, after showing what would change. */
export function addRecordBulkCommands(group: Command, terminal: Terminal): void {
  addBulkOptions(group.command('ttl'))
    .description('set the time to live of many records of a domain')
    .argument('<domain>', 'name of the domain')
    .argument('<time>', 'new time to live, in seconds or as 1h30m', parseTtl)
    .option('--name <name>', 'only records at this name; @ is the domain itself')
    .examples('zonewright record ttl example.com 5m', 'zonewright record ttl example.com 1d --type NS')
    .action(async (domain: string, ttl: number, options: BulkOptions & { name?: string }) => {
      const client = connectToChange(options, terminal);
      const { type, name } = options;
      const updates = await planDomain(client, domain, { type, name }, (record) =>
        record.ttl === ttl ? undefined : { ttl },
      );
      await applyUpdates(client, terminal, [updates], options);
    });

  addBulkOptions(group.command('rename'))
    .description('move all records of a name to another name of the domain')
    .argument('<domain>', 'name of the domain')
    .argument('<name>', 'the name that has the records; @ is the domain itself')
    .argument('<new-name>', 'the name that gets them')
    .examples(
      'zonewright record rename example.com old new',
      'zonewright record rename example.com www web --type A',
    )
    .action(async (domain: string, name: string, to: string, options: BulkOptions) => {
      const client = connectToChange(options, terminal);
      const { type } = options;
      const updates = await planDomain(client, domain, { type, name }, () => ({ name: to }));
      await applyUpdates(client, terminal, [updates], options);
    });

  addBulkOptions(group.command('replace'))
    .description('replace the data of records in all domains of your account')
    .argument('<data>', 'the data that records have now, as record list shows it')
    .argument('<new-data>', 'the data that they get')
    .examples(
      'zonewright record replace 192.0.2.1 198.51.100.1',
      'zonewright record replace mail.example.com mx.example.net --type MX --dry-run',
    )
    .action(async (data: string, to: string, options: BulkOptions) => {
      const client = connectToChange(options, terminal);
      const filter = { type: options.type, data };
      const domains = new Set<string>();
      for await (const { domain } of client.records.search(filter)) domains.add(domain);
      const updates: DomainUpdates[] = [];
      for (const domain of domains)
        updates.push(await planDomain(client, domain, filter, () => ({ data: to })));
      await applyUpdates(client, terminal, updates, options);
    });
}

function addBulkOptions(command: Command): Command {
  return addConfirmOption(addDryRunOption(addConnectionOptions(command)))
    .option('--type <type>', 'only records of this type')
    .option('--note <text>', 'reason, kept in the history');
}

/** @throws CommandFailure before anything is read if nobody can agree to the plan */
function connectToChange(options: BulkOptions, terminal: Terminal): ZonewrightClient {
  checkAnswerable(options, terminal);
  return connect(options, terminal);
}

/** @param patchOf returns undefined for a record that stays as it is */
async function planDomain(
  client: ZonewrightClient,
  domain: string,
  filter: RecordFilter,
  patchOf: (record: RecordJson) => RecordPatch | undefined,
): Promise<DomainUpdates> {
  const ifMatch = await client.domains.revision(domain);
  const update: (RecordPatch & { readonly id: string })[] = [];
  for await (const record of client.records.list(domain, filter)) {
    const patch = patchOf(record);
    if (patch !== undefined) update.push({ id: record.id, ...patch });
  }
  return { domain, ifMatch, update };
}

/** Shows what would change in all domains, asks once, and writes. Each domain changes completely or not at all. */
async function applyUpdates(
  client: ZonewrightClient,
  terminal: Terminal,
  updates: readonly DomainUpdates[],
  options: BulkOptions,
): Promise<void> {
  const wanted = updates.filter(({ update }) => update.length > 0);
  if (wanted.length === 0) return say(terminal, NOTHING_TO_CHANGE);
  if (options.yes !== true || options.dryRun === true) {
    const count = await showPlans(client, terminal, wanted, options);
    if (options.dryRun === true) return;
    const question = `Change ${countOf(count, 'record')} of ${countOf(wanted.length, 'domain')}?`;
    if (!(await isConfirmed(terminal, question))) return say(terminal, 'nothing was changed');
  }
  for (const { domain, ifMatch, update } of wanted) {
    const { note } = options;
    const change = client.records.change(domain, { update }, { ifMatch, note, warnings: true });
    const written = await change.catch((error: unknown) => {
      // Without an answer, it may have been changed.
      say(terminal, `${domain}: ${error instanceof ApiError ? 'nothing was changed' : 'no answer'}`);
      throw error;
    });
    complainOfWrite(terminal, written);
    report(terminal, domain, written.changes, options);
  }
}

/** Prints the plans: the result of a dry run on stdout, otherwise beside it. Returns the number of records that would change. */
async function showPlans(
  client: ZonewrightClient,
  terminal: Terminal,
  wanted: readonly DomainUpdates[],
  options: BulkOptions,
): Promise<number> {
  let count = 0;
  const isResult = options.dryRun === true;
  for (const { domain, ifMatch, update } of wanted) {
    const plan = await client.records.change(domain, { update }, { ifMatch, dryRun: true as const });
    if (!isDryRun(plan)) continue;
    count += plan.changes.updated.length;
    if (options.json === true && isResult) printJson(terminal, { domain, ...plan });
    else {
      say(terminal, `${domain}: ${describeCounts(plan.changes)}`);
      printChanges(isResult ? terminal : beside(terminal), plan.changes, options);
      complainAbout(terminal, plan);
    }
  }
  if (isResult && options.json !== true) say(terminal, 'dry run, nothing was changed');
  return count;
}

function report(terminal: Terminal, domain: string, changes: ChangesJson, { json }: BulkOptions): void {
  if (json === true) printJson(terminal, { domain, changes });
  else say(terminal, `${domain}: ${describeCounts(changes)}`);
}
