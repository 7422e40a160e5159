import { Option } from 'commander';
import type { DryRunOption } from '../../client/write-options.ts';
import type { KeyJson, KeyScope } from '../../contract/key-shape.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import type { Command } from '../command-line/command.ts';
import {
  addConnectionOptions,
  addServiceOptions,
  connect,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { addRightsOptions, rightsFrom, type RightsOptions } from './rights-options.ts';
import { addNewKeyOptions, printNewKey, printPlannedKey } from './new-key-output.ts';
import { printJson, printList, printOne, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Columns for a dry run, when the key has neither id nor date. */
const plannedColumns: Columns<KeyJson> = {
  scope: (key) => key.scope,
  label: (key) => key.label,
  rights: (key) => key.summary,
  networks: (key) => key.networks?.join(', ') ?? 'all',
};

/** Scripts know the first ones by their places. */
const columns: Columns<KeyJson> = {
  id: (key) => key.id,
  created: (key) => key.date_created,
  ...plannedColumns,
  expires: (key) => key.date_expires ?? 'never',
  used: (key) => key.date_used ?? 'never',
};

type Options = ConnectionOptions & DryRunOption;
type CreateOptions = Options &
  RightsOptions & {
    label?: string;
    scope?: KeyScope;
    account?: string;
  };

/** `zonewright key …`: API keys. */
export function declareKeyCommands(group: Command, terminal: Terminal): void {
  const create = addNewKeyOptions(addServiceOptions(group.command('create')))
    .description('create an API key; it is shown only once')
    .option('--label <text>', 'purpose of the key')
    .addOption(new Option('--scope <scope>', 'permissions of the key').choices(['full', 'read', 'admin']))
    .option('--account <id>', 'owner of the key (default: your own account)');
  addRightsOptions(create)
    .examples(
      'export ZONEWRIGHT_KEY=$(zonewright key create --label terraform --plain)',
      'zonewright key create --scope read --label monitoring --dry-run',
      'zonewright key create --template certificates --host www.example.com --expires 2027-01-31T00:00:00Z',
      'zonewright key create --may records:read records:create --domain example.com --name "**.dyn" --type A AAAA',
    )
    .action(async (options: CreateOptions) => {
      const { label, scope, account, dryRun } = options;
      const wanted = { label, scope, account, ...rightsFrom(options) };
      const created = await connect(options, terminal).keys.create(wanted, { dryRun });
      if (!('dry_run' in created)) {
        return printNewKey(terminal, created.key, { answer: created, columns, row: created }, options);
      }
      const planned = { answer: created, columns: plannedColumns, row: created.key };
      printPlannedKey(terminal, 'this key', planned, options);
    });

  addConnectionOptions(group.command('list'))
    .description('list API keys without their secrets')
    .option('--account <id>', 'list the keys of this account (default: your own account)')
    .examples('zonewright key list')
    .action(async (options: ConnectionOptions & { account?: string }) => {
      const keys = connect(options, terminal).keys.list({ account: options.account });
      await printList(terminal, columns, keys, options);
    });

  declareRotation(group, terminal);

  addDryRunOption(addConnectionOptions(group.command('revoke')))
    .description('revoke an API key; requests with it are refused immediately')
    .argument('<id>', 'id, as shown by key list')
    .examples(
      'zonewright key revoke 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11',
      'zonewright key revoke 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11 --dry-run',
    )
    .action(async (id: string, options: Options) => {
      const revoked = await connect(options, terminal).keys.revoke(id, { dryRun: options.dryRun });
      if (revoked === undefined) return;
      if (options.json === true) return printJson(terminal, revoked);
      printOne(terminal, columns, revoked.key, options);
      say(terminal, 'nothing was changed; this key would be revoked');
    });
}

function declareRotation(group: Command, terminal: Terminal): void {
  addNewKeyOptions(addServiceOptions(group.command('rotate')))
    .description('create a key that takes the place of another one, with the same rights')
    .argument('<id>', 'id, as shown by key list')
    .option('--overlap <seconds>', 'how long both keys can be used (default: 0)')
    .examples('zonewright key rotate 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11 --overlap 86400')
    .action(async (id: string, options: Options & { overlap?: string }) => {
      const { overlap, dryRun } = options;
      const seconds = overlap === undefined ? undefined : Number(overlap);
      const created = await connect(options, terminal).keys.rotate(id, seconds, { dryRun });
      if (!('dry_run' in created)) {
        return printNewKey(terminal, created.key, { answer: created, columns, row: created }, options);
      }
      const planned = { answer: created, columns: plannedColumns, row: created.key };
      printPlannedKey(terminal, 'this key', planned, options);
    });
}
