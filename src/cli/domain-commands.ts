import type { Command } from 'commander';
import type { DomainJson } from '../contract/response-shapes.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { addPropagationCommands } from './propagation-commands.ts';
import { printList, printOne, type Columns } from './print-list.ts';
import type { Terminal } from './terminal.ts';

const columns: Columns<DomainJson> = {
  domain: (domain) => domain.domain,
  created: (domain) => domain.date_created,
  dnssec: (domain) => domain.dns_sec,
};

/** `zonewright domain …`: the domains of the key's account. */
export function addDomainCommands(program: Command, terminal: Terminal): void {
  const group = program
    .command('domain')
    .description('list, create, show and delete domains, wait for nameservers');

  addConnectionOptions(group.command('list'))
    .description('list the domains of the account')
    .addHelpText('after', '\nExample:\n  $ zonewright domain list')
    .action(async (options: ConnectionOptions) => {
      const domains = connect(options, terminal).domains.list();
      await printList(terminal, columns, domains, options.json === true);
    });

  addConnectionOptions(group.command('create'))
    .description('create a domain; safe to repeat')
    .argument('<domain>', 'its name')
    .option('--ip <address>', 'IPv4 or IPv6 address of the domain itself')
    .addHelpText('after', '\nExample:\n  $ zonewright domain create example.com --ip 192.0.2.1')
    .action(async (domain: string, options: ConnectionOptions & { ip?: string }) => {
      const { value } = await connect(options, terminal).domains.create({ domain, ip: options.ip });
      printOne(terminal, columns, value, options.json === true);
    });

  addConnectionOptions(group.command('show'))
    .description('show one domain')
    .argument('<domain>', 'its name')
    .addHelpText('after', '\nExample:\n  $ zonewright domain show example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      printOne(
        terminal,
        columns,
        await connect(options, terminal).domains.get(domain),
        options.json === true,
      );
    });

  addConnectionOptions(group.command('delete'))
    .description('delete a domain with all its records')
    .argument('<domain>', 'its name')
    .addHelpText('after', '\nExample:\n  $ zonewright domain delete example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      await connect(options, terminal).domains.delete(domain);
    });

  addPropagationCommands(group, terminal);
}
