import type { DryRunOption } from '../../client/write-options.ts';
import type { AccountJson, OwnAccountJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import {
  addConnectionOptions,
  addServiceOptions,
  connect,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { addNewKeyOptions, printNewKey, printPlannedKey } from '../key/new-key-output.ts';
import { printList, printOne, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Columns for a dry run, when the account has neither id nor date. */
const plannedColumns: Columns<AccountJson> = {
  email: (account) => account.email,
  name: (account) => account.name,
};

const columns: Columns<AccountJson> = {
  id: (account) => account.id,
  created: (account) => account.date_created,
  ...plannedColumns,
};

const ownColumns: Columns<OwnAccountJson> = {
  name: (account) => account.name,
  email: (account) => account.email,
};

type CreateOptions = ConnectionOptions & DryRunOption & { readonly email: string };

/** `zonewright account …`: owners of domains. All commands except `show` need an administrative key. */
export function declareAccountCommands(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('show'))
    .description('show the account that your key belongs to')
    .examples('zonewright account show')
    .action(async (options: ConnectionOptions) => {
      printOne(terminal, ownColumns, await connect(options, terminal).accounts.own(), options);
    });

  addNewKeyOptions(addServiceOptions(group.command('create')))
    .description('create an account and its first API key; the key is shown only once')
    .argument('<name>', 'name of the owner')
    .requiredOption('--email <address>', 'email address of the owner')
    .examples(
      'zonewright account create "Example Ltd" --email dns@example.com',
      'zonewright account create "Example Ltd" --email dns@example.com --dry-run',
    )
    .action(async (name: string, options: CreateOptions) => {
      const { email, dryRun } = options;
      const created = await connect(options, terminal).accounts.create({ name, email }, { dryRun });
      const output = { answer: created, columns, row: created.account };
      if (!('dry_run' in created)) return printNewKey(terminal, created.key.key, output, options);
      const planned = { ...output, columns: plannedColumns };
      printPlannedKey(terminal, 'this account and its first key', planned, options);
    });

  addConnectionOptions(group.command('list'))
    .description('list all accounts')
    .examples('zonewright account list')
    .action(async (options: ConnectionOptions) => {
      await printList(terminal, columns, connect(options, terminal).accounts.list(), options);
    });
}
