import type { Command } from '../command-line/command.ts';
import { addServiceOptions, connect } from '../connection/connection.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { printJson, printList, printOne } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addAccountOption, withAccount, type UserOptions } from './account-option.ts';
import { findUserId } from './find-user.ts';
import { addRoleOption, roleFrom, type DomainOption, type RoleName } from './role-options.ts';
import { invitationColumns, plannedColumns } from './user-columns.ts';

type InviteOptions = UserOptions & DomainOption & { readonly role: RoleName; readonly operator?: boolean };

/** Options of commands that make a link: `--plain` prints only the link, for scripts. */
function addLinkOptions(command: Command): Command {
  const withFormat = addServiceOptions(command)
    .option('--json', 'print JSON')
    .option('--plain', 'print only the link');
  return withAccount(addDryRunOption(withFormat));
}

/** Invitations, and links for users who are locked out. */
export function declareInvitationCommands(group: Command, terminal: Terminal): void {
  addRoleOption(addLinkOptions(group.command('invite')))
    .description('make a link with which somebody joins the account; it is shown only once')
    .argument('[email]', 'only the user with this address can accept (default: anybody who has the link)')
    .option('--operator', 'the user also manages all accounts; needs an administrative key')
    .examples(
      'zonewright user invite bert@example.com --role viewer',
      'zonewright user invite --role editor --domain example.com --plain',
    )
    .action(async (email: string | undefined, options: InviteOptions) => {
      const { account, operator, dryRun } = options;
      const wanted = { email, account, operator, ...roleFrom(options.role, options) };
      const made = await connect(options, terminal).users.invite(wanted, { dryRun });
      if (options.json === true) return printJson(terminal, made);
      if ('dry_run' in made) {
        if (options.plain !== true) printOne(terminal, plannedColumns, made.invitation, {});
        return say(terminal, 'nothing was changed; this invitation would be made');
      }
      if (options.plain === true) return terminal.print(`${made.link}\n`);
      printOne(terminal, invitationColumns, made, {});
      terminal.print(`link: ${made.link}\n`);
    });

  addAccountOption(group.command('invitations'))
    .description('list the open invitations of an account, without their links')
    .examples('zonewright user invitations')
    .action(async (options: UserOptions) => {
      const invitations = await connect(options, terminal).users.invitations(options);
      await printList(terminal, invitationColumns, invitations, options);
    });

  declareRevocation(group, terminal);
  declareRecovery(group, terminal);
}

function declareRevocation(group: Command, terminal: Terminal): void {
  addDryRunOption(addAccountOption(group.command('revoke-invitation')))
    .description('revoke an invitation; its link is refused immediately')
    .argument('<id>', 'id, as shown by user invitations')
    .examples('zonewright user revoke-invitation 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11')
    .action(async (id: string, options: UserOptions) => {
      const { account, dryRun } = options;
      const plan = await connect(options, terminal).users.revokeInvitation(id, { account, dryRun });
      if (plan === undefined) return;
      if (options.json === true) return printJson(terminal, plan);
      printOne(terminal, invitationColumns, plan.invitation, options);
      say(terminal, 'nothing was changed; this invitation would be revoked');
    });
}

function declareRecovery(group: Command, terminal: Terminal): void {
  addLinkOptions(group.command('recover'))
    .description('make a link with which a user sets a new password (needs an administrative key)')
    .argument('<user>', 'id or e-mail address, as shown by user list')
    .examples('zonewright user recover 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11')
    .action(async (named: string, options: UserOptions) => {
      const client = connect(options, terminal);
      const id = await findUserId(client, named, options.account);
      const made = await client.users.recover(id, { dryRun: options.dryRun });
      if (options.json === true) return printJson(terminal, made);
      if ('dry_run' in made) return say(terminal, 'nothing was changed; a link would be made');
      if (options.plain === true) return terminal.print(`${made.link}\n`);
      terminal.print(`expires: ${made.date_expires}\nlink: ${made.link}\n`);
    });
}
