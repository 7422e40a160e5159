import type { AccountsClient } from '../../client/accounts-client.ts';
import type { DryRunOption } from '../../client/write-options.ts';
import type { LimitsJson, OwnAccountJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import {
  addConnectionOptions,
  addServiceOptions,
  connect,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { addNewKeyOptions, printNewKey, printPlannedKey } from '../key/new-key-output.ts';
import { accountColumns, plannedColumns } from './account-columns.ts';
import { addLifeCommands } from './account-life-commands.ts';
import { printJson, printList, printOne, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

const ownColumns: Columns<OwnAccountJson> = {
  name: (account) => account.name,
  email: (account) => account.email,
};

const limitColumns: Columns<[string, LimitsJson[keyof LimitsJson]]> = {
  limit: ([name]) => name,
  most: ([, { limit }]) => String(limit),
  used: ([, { use }]) => (use === null ? '' : String(use)),
};

const limitOptions: Readonly<Record<keyof LimitsJson, string>> = {
  domains: 'most domains',
  records: 'most records in all domains',
  records_per_domain: 'most records in one domain',
  octets: 'most octets of records',
  history_octets: 'most octets of history',
  outcome_octets: 'most octets of kept outcomes',
  trail_octets: 'most octets of the trail',
  keys: 'most API keys',
  cost_per_minute: 'most work for expensive requests in a minute',
};

type LimitTexts = Readonly<Record<string, unknown>>;

/** The service checks the numbers. */
function readLimits(options: LimitTexts): Partial<Record<keyof LimitsJson, number>> {
  const limits: Partial<Record<keyof LimitsJson, number>> = {};
  for (const member of Object.keys(limitOptions) as (keyof LimitsJson)[]) {
    const text = options[member.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text === 'string') limits[member] = Number(text);
  }
  return limits;
}

type CreateOptions = ConnectionOptions & DryRunOption & { readonly email: string; readonly invite?: string };

/** `zonewright account …`: owners of domains. Commands about other accounts need an administrative key. */
export function declareAccountCommands(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('show'))
    .description('show the account that your key belongs to, or another one')
    .argument('[account]', 'id of the account; needs an administrative key')
    .examples('zonewright account show')
    .action(async (account: string | undefined, options: ConnectionOptions) => {
      const { accounts } = connect(options, terminal);
      if (account === undefined) return printOne(terminal, ownColumns, await accounts.own(), options);
      printOne(terminal, accountColumns, await accounts.get(account), options);
    });

  addConnectionOptions(group.command('limits'))
    .description('show the limits of your account, or of another one, and what it uses')
    .argument('[account]', 'id of the account; needs an administrative key')
    .examples('zonewright account limits')
    .action(async (account: string | undefined, options: ConnectionOptions) => {
      const limits = await connect(options, terminal).accounts.limits(account);
      if (options.json === true) return printJson(terminal, limits);
      await printList(terminal, limitColumns, Object.entries(limits), options);
    });

  const setLimits = addServiceOptions(group.command('set-limits'));
  for (const [member, what] of Object.entries(limitOptions)) {
    setLimits.option(`--${member.replaceAll('_', '-')} <count>`, what);
  }
  setLimits
    .description("set the limits of an account; those that are not given become the service's defaults")
    .argument('<account>', 'id of the account')
    .examples('zonewright account set-limits 0193489f-8a3b-7abc-8def-0123456789ab --domains 10')
    .action(async (account: string, options: ConnectionOptions & DryRunOption & LimitTexts) => {
      const limits = readLimits(options);
      const { dryRun } = options;
      const set = await connect(options, terminal).accounts.setLimits(account, limits, { dryRun });
      if (options.json === true) return printJson(terminal, set);
      await printList(terminal, limitColumns, Object.entries('limits' in set ? set.limits : set), options);
    });

  declareCreation(group, terminal);

  addConnectionOptions(group.command('list'))
    .description('list all accounts')
    .examples('zonewright account list')
    .action(async (options: ConnectionOptions) => {
      await printList(terminal, accountColumns, connect(options, terminal).accounts.list(), options);
    });

  addLifeCommands(group, terminal);
}

function declareCreation(group: Command, terminal: Terminal): void {
  addNewKeyOptions(addServiceOptions(group.command('create')))
    .description('create an account and its first API key, which is shown only once; or invite its owner')
    .argument('<name>', 'name of the owner')
    .requiredOption('--email <address>', 'email address of the owner')
    .option('--invite <address>', 'make a link for the first owner instead of a key')
    .examples(
      'zonewright account create "Example Ltd" --email dns@example.com --invite anna@example.com',
      'zonewright account create "Example Ltd" --email dns@example.com',
      'zonewright account create "Example Ltd" --email dns@example.com --dry-run',
    )
    .action(async (name: string, options: CreateOptions) => {
      const { email, invite, dryRun } = options;
      if (invite !== undefined) return openAccount(terminal, { name, email, owner: invite }, options);
      const created = await connect(options, terminal).accounts.create({ name, email }, { dryRun });
      const output = { answer: created, columns: accountColumns, row: created.account };
      if (!('dry_run' in created)) return printNewKey(terminal, created.key.key, output, options);
      const planned = { ...output, columns: plannedColumns };
      printPlannedKey(terminal, 'this account and its first key', planned, options);
    });
}

async function openAccount(
  terminal: Terminal,
  account: Parameters<AccountsClient['open']>[0],
  options: CreateOptions,
): Promise<void> {
  const opened = await connect(options, terminal).accounts.open(account, { dryRun: options.dryRun });
  if (options.json === true) return printJson(terminal, opened);
  if ('dry_run' in opened) {
    if (options.plain !== true) printOne(terminal, plannedColumns, opened.account, {});
    return say(terminal, 'nothing was changed; this account would be created, and its first owner invited');
  }
  const { invitation } = opened;
  if (options.plain === true) return terminal.print(`${invitation.link}\n`);
  printOne(terminal, accountColumns, opened.account, {});
  terminal.print(
    `invited: ${invitation.email}\nexpires: ${invitation.date_expires}\nlink: ${invitation.link}\n`,
  );
}
