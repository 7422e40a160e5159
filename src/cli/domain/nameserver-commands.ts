import type { DomainNameserversJson } from '../../contract/response-shapes.ts';
import type { ServiceNameserversJson } from '../../contract/nameserver-shape.ts';
import type { Nameservers } from '../../client/set-nameservers.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import { NOTHING_TO_CHANGE } from '../plan/print-changes.ts';
import { countOf } from '../terminal/count-of.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import { beside, say, warn } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions &
  ConfirmOptions & { all?: boolean; domain?: string[]; replacing?: string[]; note?: string };

const columns: Columns<DomainNameserversJson> = {
  domain: ({ domain }) => domain,
  before: ({ before, nsprimary }) => listOf(before, nsprimary?.before ?? undefined),
  after: ({ after, nsprimary }) => listOf(after, nsprimary?.after),
};

/** The NS records, and the primary nameserver of the SOA if it changes. */
function listOf(hosts: readonly string[], primary: string | undefined): string {
  return [...hosts, ...(primary === undefined ? [] : [`SOA ${primary}`])].join(' ');
}

const processColumns: Columns<ServiceNameserversJson['processes'][number]> = {
  name: ({ name }) => name,
  state: ({ live }) => (live ? 'live' : 'silent'),
  behind: ({ behind }) => String(behind),
  seen: ({ date_seen }) => date_seen,
  id: ({ id }) => id,
};

/** `zonewright domain nameservers …`: the nameservers of the service, and the NS records of domains of the account. */
export function addNameserverCommands(group: Command, terminal: Terminal): void {
  const nameservers = group.command('nameservers').description('the nameservers of domains');
  addConnectionOptions(nameservers.command('list'))
    .description(
      'list the nameserver processes of the service, and how many changes each is behind (administrative key)',
    )
    .examples('zonewright domain nameservers list')
    .action(async (options: ConnectionOptions) => {
      const { names, processes } = await connect(options, terminal).accounts.nameservers();
      await printList(terminal, processColumns, processes, options);
      say(terminal, `the service is reached at ${names.join(', ')}`);
    });

  addDryRunOption(addConfirmOption(addConnectionOptions(nameservers.command('set'))))
    .description(
      'replace the nameservers of domains, in their NS records and their SOA; shows the plan and asks',
    )
    .argument('[nameservers...]', 'host names of the nameservers (default: those of the service)')
    .option('--all', 'all domains of your account')
    .option('--domain <name...>', 'only these domains')
    .option(
      '--replacing <nameserver...>',
      'replace only these, and the placeholder of an unset setting; others stay (default: replace all)',
    )
    .option('--note <text>', 'reason, kept in the history')
    .examples(
      'zonewright domain nameservers set --all --replacing ns1.old.example ns2.old.example',
      'zonewright domain nameservers set ns1.example.net ns2.example.net --domain example.com',
    )
    .action(async (hosts: string[], options: Options) => setNameservers(terminal, hosts, options));
}

async function setNameservers(terminal: Terminal, hosts: readonly string[], options: Options): Promise<void> {
  if ((options.all === true) === (options.domain !== undefined))
    throw new CommandFailure(exitCodes.usage, 'give either --all or --domain');
  checkAnswerable(options, terminal);
  const client = connect(options, terminal);
  const wanted: Nameservers = {
    from: options.replacing ?? ['*'],
    ...(hosts.length > 0 && { to: hosts }),
    domains: options.domain,
  };
  const plans = await write(client, terminal, wanted, { dryRun: true });
  const isDry = options.dryRun === true;
  await printList(isDry ? terminal : beside(terminal), columns, plans, options);
  const count = countOf(plans.length, 'domain');
  if (plans.length === 0) return say(terminal, NOTHING_TO_CHANGE);
  if (isDry) return say(terminal, `dry run, nothing was changed: ${count}`);
  if (options.yes !== true && !(await isConfirmed(terminal, `Change the nameservers of ${count}?`)))
    return say(terminal, 'nothing was changed');
  // Only the domains that were shown.
  const domains = plans.map(({ domain }) => domain);
  const changed = await write(client, terminal, { ...wanted, domains }, { note: options.note });
  say(terminal, `changed the nameservers of ${countOf(changed.length, 'domain')}`);
}

function describeStop(last: string, count: number): string {
  const done = `${countOf(count, 'domain')} ${count === 1 ? 'is' : 'are'} changed`;
  return `stopped after ${last}, ${done}: repeat the command for the others`;
}

/** Returns the domains that changed, or would. @throws CommandFailure after the others, if some could not be changed */
async function write(
  client: ZonewrightClient,
  terminal: Terminal,
  wanted: Nameservers,
  options: { readonly dryRun?: boolean; readonly note?: string | undefined },
): Promise<readonly DomainNameserversJson[]> {
  const changed: DomainNameserversJson[] = [];
  let failures = 0;
  let last: string | undefined;
  try {
    for await (const row of client.domains.setNameservers(wanted, options)) {
      last = row.domain;
      if (row.changed) changed.push(row);
      if (row.code === null) continue;
      warn(terminal, `${row.domain}: ${row.reason ?? row.code}`);
      failures++;
    }
  } catch (error) {
    if (last !== undefined && options.dryRun !== true) say(terminal, describeStop(last, changed.length));
    throw error;
  }
  if (failures === 0) return changed;
  const count = `${countOf(failures, 'domain')} could not be changed`;
  throw new CommandFailure(
    exitCodes.refused,
    options.dryRun === true ? count : `${count}; ${changed.length} changed`,
  );
}
