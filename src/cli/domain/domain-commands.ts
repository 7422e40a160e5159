import type { DeletedDomainJson, DomainJson } from '../../contract/response-shapes.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { addConfirmOption, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { toAscii } from '../names/zone-names.ts';
import { addClaimCommands, showClaimStep } from './claim-commands.ts';
import { addDelegationCommand } from './delegation-command.ts';
import { addDnssecCommands, showNextStep } from './dnssec-commands.ts';
import { addDomainSettingCommands } from './domain-setting-commands.ts';
import { addNameserverCommands } from './nameserver-commands.ts';
import { addPropagationCommands } from './propagation-commands.ts';
import { printJson, printList, printOne, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { say } from '../terminal/say.ts';
import { writeOrShow } from '../plan/write-or-show.ts';

const columns: Columns<DomainJson> = {
  domain: (domain) => domain.domain,
  created: (domain) => domain.date_created,
  dnssec: (domain) => domain.dns_sec,
  served: ({ withheld }) => (withheld === undefined ? 'yes' : `no: ${withheld.join(', ')}`),
};

const deletedColumns: Columns<DeletedDomainJson> = {
  id: (domain) => domain.id,
  domain: (domain) => domain.domain,
  created: (domain) => domain.date_created,
  deleted: (domain) => domain.date_deleted,
};

type Options = ConnectionOptions & ChangeOptions;
type NewDomainOptions = { readonly ip?: string; readonly dnssec?: true };

/** `zonewright domain …`: the domains of the account. */
export function declareDomainCommands(group: Command, terminal: Terminal): void {
  addReadingCommands(group, terminal);
  addWritingCommands(group, terminal);
  addDomainSettingCommands(group, terminal);
  addDnssecCommands(group, terminal);
  addClaimCommands(group, terminal);
  addDelegationCommand(group, terminal);
  addNameserverCommands(group, terminal);
  addPropagationCommands(group, terminal);
}

function addReadingCommands(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('list'))
    .description('list the domains of your account')
    .option('--search <text>', 'only domains whose name contains this text')
    .option('--deleted', 'list deleted domains that can be restored')
    .examples(
      'zonewright domain list',
      'zonewright domain list --search shop',
      'zonewright domain list --deleted',
    )
    .action(async (options: ConnectionOptions & { search?: string; deleted?: boolean }) => {
      const { domains } = connect(options, terminal);
      if (options.deleted !== true)
        return printList(terminal, columns, domains.list({ search: options.search }), options);
      await printList(terminal, deletedColumns, matching(domains.listDeleted(), options.search), options);
    });

  addConnectionOptions(group.command('show'))
    .description('show one domain')
    .argument('<domain>', 'name of the domain')
    .option('--revision', 'print only the revision, for --if-match')
    .examples(
      'zonewright domain show example.com',
      'export REVISION=$(zonewright domain show example.com --revision)',
    )
    .action(async (name: string, options: ConnectionOptions & { revision?: boolean }) => {
      const { domains } = connect(options, terminal);
      if (options.revision !== true) return printOne(terminal, columns, await domains.get(name), options);
      const revision = (await domains.revision(name)) ?? '';
      if (options.json === true) printJson(terminal, { revision });
      else terminal.print(`${revision}\n`);
    });
}

function addWritingCommands(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('create')))
    .description('create a domain; safe to repeat')
    .argument('<name>', 'name of the domain')
    .option('--ip <address>', 'create an A or AAAA record with this address at the domain itself')
    .option('--dnssec', 'sign the domain')
    .examples(
      'zonewright domain create example.com --ip 192.0.2.1',
      'zonewright domain create example.com --dnssec',
    )
    .action(async (domain: string, { ip, dnssec, ...options }: Options & NewDomainOptions) => {
      const { domains } = connect(options, terminal);
      const dns_sec = dnssec === true ? 'enabled' : undefined;
      const created = await writeOrShow(terminal, options, (write) =>
        domains.create({ domain, ip, dns_sec }, write),
      );
      if (created === undefined) return;
      printOne(terminal, columns, created.value, options);
      if (dnssec === true) await showNextStep(terminal, domains, domain);
      if (created.value.withheld?.includes('unverified') === true)
        await showClaimStep(terminal, domains, domain);
    });

  addConfirmOption(addChangeOptions(addConnectionOptions(group.command('delete'))))
    .description(
      'delete a domain with all its records, after asking on a terminal; domain restore undoes this',
    )
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain delete example.com')
    .action(async (domain: string, options: Options & ConfirmOptions) => {
      const { domains } = connect(options, terminal);
      if (!(await mayDelete(terminal, domain, options))) return;
      await writeOrShow(terminal, options, (write) => domains.delete(domain, write));
    });

  addChangeOptions(addConnectionOptions(group.command('restore')))
    .description('restore a deleted domain with all its records')
    .argument('<deleted-domain>', 'name, as shown by domain list --deleted')
    .option('--id <id>', 'which one, if several have that name (default: the one deleted last)')
    .examples('zonewright domain restore example.com', 'zonewright domain restore example.com --id 17')
    .action(async (domain: string, options: Options & { id?: string }) => {
      const { domains } = connect(options, terminal);
      const restored = await writeOrShow(terminal, options, (write) =>
        domains.restore(domain, { ...write, id: options.id }),
      );
      if (restored !== undefined) printOne(terminal, columns, restored.value, options);
    });
}

/** Scripts are not asked, so that those of earlier versions go on working. */
async function mayDelete(
  terminal: Terminal,
  domain: string,
  { yes, dryRun }: ConfirmOptions,
): Promise<boolean> {
  if (yes === true || dryRun === true || terminal.ask === undefined) return true;
  if (await isConfirmed(terminal, `Delete ${domain} with all its records?`)) return true;
  say(terminal, 'nothing was changed');
  return false;
}

/** The service cannot search deleted domains, so the CLI filters the list. U-labels match their A-labels. */
async function* matching(
  domains: AsyncIterable<DeletedDomainJson>,
  search = '',
): AsyncGenerator<DeletedDomainJson> {
  const wanted = toAscii(search.toLowerCase());
  for await (const domain of domains) {
    if (domain.domain.includes(wanted)) yield domain;
  }
}
