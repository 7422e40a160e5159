import { open, rm } from 'node:fs/promises';
import type { DryRunOption } from '../../client/write-options.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type {
  AccountChangePlanJson,
  AccountDeletionPlanJson,
  AccountJson,
} from '../../contract/account-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf, unwritable } from '../failures/file-failures.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import { countOf } from '../terminal/count-of.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { printJson, printOne } from '../terminal/print-list.ts';
import { beside, say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { accountColumns } from './account-columns.ts';

type Options = ConnectionOptions & DryRunOption & ConfirmOptions;

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';

/** `zonewright account suspend|resume|delete|restore|export`: the life of accounts. */
export function addLifeCommands(group: Command, terminal: Terminal): void {
  addSuspensionCommands(group, terminal);
  addDeletionCommands(group, terminal);
  addConnectionOptions(group.command('export'))
    .description('download all that your account has into a file: a tar archive, compressed with gzip')
    .argument('<file>', 'name of the file, which must not exist yet')
    .option('--force', 'overwrite the file')
    .examples('zonewright account export account.tar.gz')
    .action(async (file: string, options: ConnectionOptions & { force?: boolean }) => {
      const archive = await connect(options, terminal).accounts.export();
      const bytes = await writeArchive(file, archive, options.force === true);
      say(terminal, `${file} has all that the account has (${countOf(bytes, 'byte')})`);
    });
}

function addSuspensionCommands(group: Command, terminal: Terminal): void {
  addDryRunOption(addConfirmOption(addConnectionOptions(group.command('suspend'))))
    .description('suspend an account: nothing in it can be changed; asks first')
    .argument('<account>', 'id of the account, as shown by account list')
    .requiredOption('--reason <text>', 'a sentence for the people of the account')
    .option('--stop-answers', 'the nameservers no longer answer for its domains (default: they go on)')
    .examples(
      `zonewright account suspend ${EXAMPLE_ID} --reason "Unpaid since May: write to billing@example.net"`,
      `zonewright account suspend ${EXAMPLE_ID} --reason "Phishing" --stop-answers --yes`,
    )
    .action(async (account: string, options: Options & { reason: string; stopAnswers?: boolean }) => {
      checkAnswerable(options, terminal);
      const { accounts } = connect(options, terminal);
      const answers = options.stopAnswers === true ? 'stop' : 'go_on';
      const write = (dryRun: boolean) =>
        accounts.suspend(account, { reason: options.reason, answers }, { dryRun });
      await changeAccount(terminal, options, 'Suspend', write);
    });

  addDryRunOption(addConnectionOptions(group.command('resume')))
    .description('end the suspension of an account; its domains are answered for again')
    .argument('<account>', 'id of the account, as shown by account list')
    .examples(`zonewright account resume ${EXAMPLE_ID}`)
    .action(async (account: string, options: Options) => {
      const { accounts } = connect(options, terminal);
      const plan = await accounts.resume(account, { dryRun: options.dryRun });
      showAccount(terminal, options, plan ?? (await accounts.get(account)));
    });
}

function addDeletionCommands(group: Command, terminal: Terminal): void {
  addDryRunOption(addConfirmOption(addConnectionOptions(group.command('delete'))))
    .description(
      'delete an account with all that it has, after asking; until its time has passed, account restore undoes this',
    )
    .argument('[account]', 'id of the account, as shown by account list (default: your own account)')
    .option('--name <name>', 'the name of your own account, instead of typing it')
    .examples(
      `zonewright account delete ${EXAMPLE_ID} --dry-run`,
      'zonewright account delete --name "Example Ltd"',
    )
    .action(async (account: string | undefined, options: Options & { name?: string }) => {
      const { accounts } = connect(options, terminal);
      if (account === undefined) return deleteOwn(terminal, accounts, options);
      checkAnswerable(options, terminal);
      const plan = await accounts.delete(account, { dryRun: true });
      if (options.dryRun === true) return showPlan(terminal, options, plan);
      if (options.yes !== true) {
        showPlan(beside(terminal), {}, plan);
        if (!(await isConfirmed(terminal, `Delete ${plan.account.name}?`)))
          return say(terminal, NOTHING_CHANGED);
      }
      await accounts.delete(account);
      showAccount(terminal, options, await accounts.get(account));
    });

  addDryRunOption(addConnectionOptions(group.command('restore')))
    .description('restore a deleted account with all that it had')
    .argument('<account>', 'id of the account, as shown by account list')
    .examples(`zonewright account restore ${EXAMPLE_ID}`)
    .action(async (account: string, options: Options) => {
      const { accounts } = connect(options, terminal);
      showAccount(terminal, options, await accounts.restore(account, { dryRun: options.dryRun }));
    });
}

const NOTHING_CHANGED = 'nothing was changed';

type AccountAnswer = AccountJson | AccountChangePlanJson;

/** Shows the plan and asks, unless that is answered in advance; then writes and shows the account. */
async function changeAccount(
  terminal: Terminal,
  options: Options,
  verb: string,
  write: (dryRun: boolean) => Promise<AccountAnswer>,
): Promise<void> {
  const answer = await write(options.yes !== true || options.dryRun === true);
  const isAnswered = options.yes === true || options.dryRun === true;
  if (isAnswered || !('dry_run' in answer)) return showAccount(terminal, options, answer);
  if (!(await isConfirmed(terminal, `${verb} ${answer.account.name}?`)))
    return say(terminal, NOTHING_CHANGED);
  showAccount(terminal, options, await write(false));
}

async function deleteOwn(
  terminal: Terminal,
  accounts: ZonewrightClient['accounts'],
  options: Options & { name?: string },
): Promise<void> {
  const { name: known } = await accounts.own();
  const plan = await accounts.deleteOwn(known, { dryRun: true });
  if (options.dryRun === true) return showPlan(terminal, options, plan);
  if (options.name === undefined) {
    if (terminal.ask === undefined)
      throw new CommandFailure(exitCodes.usage, 'not a terminal, cannot ask: use --name or --dry-run');
    showPlan(beside(terminal), {}, plan);
  }
  const question = `Type the name of the account to delete it (${escapeControls(known)}): `;
  const name = options.name ?? (await terminal.ask?.(question)) ?? '';
  if (name.trim() === '') return say(terminal, NOTHING_CHANGED);
  await accounts.deleteOwn(name.trim());
  say(terminal, `the account is deleted; an operator can restore it until ${untilOf(plan.account)}`);
}

function untilOf({ deletion }: AccountJson): string {
  return deletion?.date_removed ?? '';
}

function showAccount(terminal: Terminal, options: Options, answer: AccountAnswer): void {
  if (options.json === true) return printJson(terminal, answer);
  if (!('dry_run' in answer)) return printOne(terminal, accountColumns, answer, options);
  printOne(terminal, accountColumns, answer.account, options);
  say(terminal, `dry run, ${NOTHING_CHANGED}`);
}

function showPlan(
  terminal: Terminal,
  options: Pick<Options, 'json' | 'plain' | 'dryRun'>,
  plan: AccountDeletionPlanJson,
): void {
  if (options.json === true) return printJson(terminal, plan);
  printOne(terminal, accountColumns, plan.account, options);
  const { domains, records, keys, users, invitations } = plan.removes;
  const gone = [
    countOf(domains, 'domain'),
    countOf(records, 'record'),
    countOf(keys, 'key'),
    countOf(users, 'user'),
    countOf(invitations, 'invitation'),
  ];
  say(terminal, `with it go ${gone.join(', ')}; it can be restored until ${untilOf(plan.account)}`);
  if (options.dryRun === true) say(terminal, `dry run, ${NOTHING_CHANGED}`);
}

/** Returns the octets that were written. A file that is incomplete is removed. */
async function writeArchive(
  path: string,
  archive: ReadableStream<Uint8Array>,
  mayOverwrite: boolean,
): Promise<number> {
  const file = await open(path, mayOverwrite ? 'w' : 'wx').catch((error: unknown) => {
    void archive.cancel();
    if (codeOf(error) !== 'EEXIST') throw unwritable(path, error);
    throw new CommandFailure(exitCodes.usage, `${path} exists already: use another name, or --force`);
  });
  let bytes = 0;
  try {
    for await (const piece of archive) {
      await file.write(piece);
      bytes += piece.length;
    }
    await file.close();
    return bytes;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw new CommandFailure(exitCodes.failed, 'the export has ended before its end: try again', {
      cause: error,
    });
  }
}
