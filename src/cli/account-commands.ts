import type { Command } from 'commander';
import type { AccountJson } from '../contract/response-shapes.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { printJson, printList, printOne, type Columns } from './print-list.ts';
import type { Terminal } from './terminal.ts';

const columns: Columns<AccountJson> = {
  id: (account) => account.id,
  created: (account) => account.date_created,
  email: (account) => account.email,
  name: (account) => account.name,
};

/** `zonewright account …`: who owns domains. Needs an administrative key. */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  const group = program
    .command('account')
    .description('create and list accounts (needs an administrative key)');

  addConnectionOptions(group.command('create'))
    .description('create an account with its first API key, which is shown only now')
    .argument('<name>', "the owner's name")
    .requiredOption('--email <address>', "the owner's mail address")
    .option('--plain', 'print nothing but the key')
    .addHelpText('after', '\nExample:\n  $ zonewright account create "Example Ltd" --email dns@example.com')
    .action(async (name: string, options: ConnectionOptions & { email: string; plain?: boolean }) => {
      const created = await connect(options, terminal).accounts.create({ name, email: options.email });
      if (options.plain === true) terminal.print(`${created.key.key}\n`);
      else if (options.json === true) printJson(terminal, created);
      else {
        printOne(terminal, columns, created.account, false);
        terminal.print(`key: ${created.key.key}\n`);
      }
    });

  addConnectionOptions(group.command('list'))
    .description('list all accounts')
    .addHelpText('after', '\nExample:\n  $ zonewright account list')
    .action(async (options: ConnectionOptions) => {
      const accounts = connect(options, terminal).accounts.list();
      await printList(terminal, columns, accounts, options.json === true);
    });
}
