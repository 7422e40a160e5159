import { createClient } from '../../client/zonewright-client.ts';
import type { OpenInvitationJson, SessionReplyJson } from '../../contract/session-shape.ts';
import type { Command } from '../command-line/command.ts';
import { checkUrl } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readInput } from '../input/open-input.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { describeRole } from './user-columns.ts';

interface JoinOptions {
  readonly url?: string;
  readonly email?: string;
  readonly name?: string;
  readonly passwordFile?: string;
  readonly code?: string;
}

/** A password has at most 256 characters, of at most four octets. */
const MAX_PASSWORD_FILE_BYTES = 2048;

/** `zonewright user join`: accepts a link without a browser. Needs no key. */
export function declareJoinCommand(group: Command, terminal: Terminal): void {
  group
    .command('join')
    .description('accept an invitation or set a new password, with the link that you got')
    .argument('<link>', 'https://…/invite#zwi_… or https://…/recover#zwi_…')
    .option('--url <url>', 'address of the service (default: that of the link)')
    .option('--email <address>', 'your e-mail address, if the invitation names none')
    .option('--name <name>', 'your name as others see it')
    .option('--password-file <path>', 'a file with your password, - for stdin (default: asks for it)')
    .option('--code <code>', 'a one-time code or a recovery code, if you have set them up already')
    .examples("zonewright user join 'https://dns.example.net/invite#zwi_…'")
    .action(async (link: string, options: JoinOptions) => {
      const { origin, token } = parseLink(link);
      const client = createClient({ url: checkUrl(options.url ?? origin), key: '' });
      const invitation = await client.users.openInvitation(token);
      tellPurpose(terminal, invitation);
      const isRecovery = invitation.kind === 'recovery';
      const email = isRecovery
        ? undefined
        : (invitation.email ?? (await given(options.email, '--email', 'e-mail address', terminal)));
      const name = isRecovery ? undefined : await given(options.name, '--name', 'your name', terminal);
      const password = await readPassword(options, terminal);
      const joined = await client.users.accept({ token, email, name, password, code: options.code });
      tellNextStep(terminal, invitation, joined, origin);
    });
}

/** @throws CommandFailure if it is no link of the service */
function parseLink(link: string): { readonly origin: string; readonly token: string } {
  const { origin, hash } = URL.canParse(link) ? new URL(link) : { origin: '', hash: '' };
  if (/^#zwi_./.test(hash)) return { origin, token: hash.slice(1) };
  const sentence = 'not a link such as https://dns.example.net/invite#zwi_…; quote it, because of the #';
  throw new CommandFailure(exitCodes.usage, sentence);
}

function tellPurpose(terminal: Terminal, invitation: OpenInvitationJson): void {
  const { kind, email, account } = invitation;
  const purpose =
    kind === 'recovery'
      ? `a new password for ${email ?? ''}`
      : `an invitation to ${account ?? ''} (${describeRole(invitation)})`;
  terminal.complain(`This is ${escapeControls(purpose)}.\n`);
}

/** @throws CommandFailure if it is not given and nobody can be asked */
async function given(
  text: string | undefined,
  option: string,
  what: string,
  { ask }: Terminal,
): Promise<string> {
  if (text !== undefined) return text;
  if (ask !== undefined) return ask(`${what}: `);
  throw new CommandFailure(exitCodes.usage, `not a terminal, cannot ask: use ${option}`);
}

/** Asks twice, because nobody sees what was typed. */
async function readPassword({ passwordFile }: JoinOptions, terminal: Terminal): Promise<string> {
  if (passwordFile !== undefined) {
    return (await readInput(passwordFile, terminal, MAX_PASSWORD_FILE_BYTES)).replace(/\r?\n$/, '');
  }
  const { askSecret } = terminal;
  if (askSecret === undefined)
    throw new CommandFailure(exitCodes.usage, 'not a terminal, cannot ask: use --password-file');
  const password = await askSecret('password (at least 12 characters; if you have one already, that one): ');
  if ((await askSecret('once more: ')) === password) return password;
  throw new CommandFailure(exitCodes.usage, 'the two passwords differ; nothing was changed');
}

function tellNextStep(
  terminal: Terminal,
  invitation: OpenInvitationJson,
  { user }: SessionReplyJson,
  origin: string,
): void {
  const { kind, account, role } = invitation;
  if (kind === 'recovery') {
    terminal.print(`${escapeControls(user.email)} has a new password, and is signed out everywhere else\n`);
    return;
  }
  terminal.print(`${escapeControls(user.email)} belongs to ${escapeControls(account ?? '')} now\n`);
  const next =
    role === 'owner'
      ? 'create an API key for the command line with your session (POST /v2/keys)'
      : 'for the command line, ask an owner for an API key (zonewright key create)';
  terminal.print(`Next: sign in at ${origin} (POST /v2/session), or ${next}\n`);
}
