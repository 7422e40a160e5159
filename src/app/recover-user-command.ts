import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import type { Command } from '../cli/command-line/command.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { printJson } from '../cli/terminal/print-list.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { formatDate } from '../contract/format-date.ts';
import { formatLink } from '../operations/create-link.ts';
import { createRecoveryLink, type RecoveryLink, type RecoveryTarget } from '../operations/recover-user.ts';
import type { StorePlace } from '../migration/store-place.ts';
import { browserUrl } from './browser-url.ts';
import { settings } from './config-settings.ts';
import { openKeyStore } from './open-key-store.ts';
import { explainStoreFailure } from './recover-key.ts';
import { addStoreOptions, loadStoreConfig, placeOf, type StoreOptions } from './store-options.ts';

type RecoverOptions = StoreOptions &
  Partial<RecoveryTarget> & { readonly publicUrl?: string; readonly json?: true };

/** `zonewright recover-user`: the way back in for people who have lost passwords and passkeys, or the first link. */
export function declareRecoverUser(command: Command, terminal: Terminal): void {
  const { option, environment } = settings.publicUrl;
  addStoreOptions(command)
    .option(option, `where browsers reach the service, as for serve (${environment})`)
    .option('--email <address>', 'a link with which this user sets a new password')
    .option('--account <id or mail address>', 'a link for a new owner of this account; else of the first one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFor whoever can write to the store itself: the data folder, or the database. Without --email, the link makes\n' +
        'another owner; an owner of the first account is also an operator. A link is good once.',
    )
    .examples(
      'zonewright recover-user --data /var/lib/zonewright --email anna@example.com',
      'zonewright recover-user --database postgres://zw@db.example.net/zw --public-url https://dns.example.net',
    )
    .action(async ({ email, account, json, publicUrl, ...options }: RecoverOptions) => {
      if (email !== undefined && account !== undefined)
        throw new CommandFailure(exitCodes.usage, 'give either --email or --account');
      const others = publicUrl === undefined ? {} : { publicUrl: [publicUrl] };
      const config = loadStoreConfig(options, terminal, others);
      const made = await makeLink(placeOf(config), { email, account });
      const link = formatLink(made.link, browserUrl(config.publicUrl ?? undefined, config.http));
      const expires = formatDate(made.link.invitation.expiresAtSeconds);
      terminal.complain(
        `${describe(made)}, good once, until ${expires}; zonewright user join takes it, too\n`,
      );
      if (json === true) printJson(terminal, { link, date_expires: expires });
      else terminal.print(`${link}\n`);
    });
}

function describe({ about }: RecoveryLink): string {
  if (about.kind === 'user') return `a link with which ${about.user.email} sets a new password`;
  return `a link for a new owner of ${about.account.name}, account ${about.account.id}`;
}

async function makeLink(place: StorePlace, target: RecoveryTarget): Promise<RecoveryLink> {
  try {
    const store = await openKeyStore(place, systemClock, silentLog);
    try {
      const made = await createRecoveryLink(store, systemClock, target);
      if (!made.ok) throw new CommandFailure(exitCodes.failed, made.problem);
      return made.value;
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainStoreFailure(error, 'repeat the command');
  }
}
