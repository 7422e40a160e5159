import type { Command } from '../command-line/command.ts';
import { connect } from '../connection/connection.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { printJson, printList, printOne } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addAccountOption, type UserOptions } from './account-option.ts';
import { findUser, findUserId } from './find-user.ts';
import { declareInvitationCommands } from './invitation-commands.ts';
import { declareJoinCommand } from './join-command.ts';
import { addDomainOption, roleFrom, type DomainOption, type RoleName } from './role-options.ts';
import { memberColumns } from './user-columns.ts';

const USER = 'id or e-mail address, as shown by user list';

/** `zonewright user …`: people who sign in. */
export function declareUserCommands(group: Command, terminal: Terminal): void {
  addAccountOption(group.command('list'))
    .description('list the users of an account')
    .examples('zonewright user list')
    .action(async (options: UserOptions) => {
      const users = await connect(options, terminal).users.list(options);
      await printList(terminal, memberColumns, users, options);
    });

  addAccountOption(group.command('show'))
    .description('show a user')
    .argument('<user>', USER)
    .examples('zonewright user show anna@example.com')
    .action(async (named: string, options: UserOptions) => {
      const user = await findUser(connect(options, terminal), named, options.account);
      printOne(terminal, memberColumns, user, options);
    });

  declareRoleCommand(group, terminal);
  declareRemoval(group, terminal);
  declareInvitationCommands(group, terminal);
  declareJoinCommand(group, terminal);
}

function declareRoleCommand(group: Command, terminal: Terminal): void {
  addDomainOption(addDryRunOption(addAccountOption(group.command('set-role'))))
    .description('change what a user may do in the account')
    .argument('<user>', USER)
    .argument('<role>', 'owner, editor or viewer')
    .examples(
      'zonewright user set-role anna@example.com editor',
      'zonewright user set-role anna@example.com viewer --domain example.com',
    )
    .action(async (named: string, role: RoleName, options: UserOptions & DomainOption) => {
      const client = connect(options, terminal);
      const { account, dryRun } = options;
      const wanted = roleFrom(role, options);
      const id = await findUserId(client, named, account);
      const changed = await client.users.setRole(id, wanted, { account, dryRun });
      if (options.json === true) return printJson(terminal, changed);
      const isPlan = 'dry_run' in changed;
      printOne(terminal, memberColumns, isPlan ? changed.user : changed, options);
      if (isPlan) say(terminal, 'nothing was changed; this user would have that role');
    });
}

function declareRemoval(group: Command, terminal: Terminal): void {
  addDryRunOption(addAccountOption(group.command('remove')))
    .description('remove a user from the account; its sessions, and the keys that it made, stop at once')
    .argument('<user>', USER)
    .examples('zonewright user remove anna@example.com', 'zonewright user remove anna@example.com --dry-run')
    .action(async (named: string, options: UserOptions) => {
      const client = connect(options, terminal);
      const { account, dryRun } = options;
      const id = await findUserId(client, named, account);
      const plan = await client.users.remove(id, { account, dryRun });
      if (plan === undefined) return;
      if (options.json === true) return printJson(terminal, plan);
      printOne(terminal, memberColumns, plan.user, options);
      say(terminal, 'nothing was changed; this user would be removed');
    });
}
