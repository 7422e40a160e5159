import type { Command } from '../cli/command-line/command.ts';
import { printJson } from '../cli/terminal/print-list.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { settings } from './config-settings.ts';
import { addStoreOptions, loadStoreConfig, placeOf, type StoreOptions } from './store-options.ts';

type RecoverOptions = StoreOptions & {
  readonly adminKeyFile?: string;
  readonly account?: string;
  readonly print?: true;
  readonly replace?: true;
  readonly json?: true;
};

/** `zonewright recover-key`: the way back in where no administrative key is left. */
export function declareRecoverKey(command: Command, terminal: Terminal): void {
  const { option, environment } = settings.adminKeyFile;
  addStoreOptions(command)
    .option(option, `where the key is put, as for serve (${environment})`)
    .option('--account <id or mail address>', 'for this account; else for the first one')
    .option('--print', 'print nothing but the key, and leave the key file alone')
    .option('--replace', 'put the key into a key file that is there')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFor whoever can write to the store itself: the data folder, or the database. Services on it take the new key\n' +
        'at once. Other keys stay valid: see zonewright key list and key revoke.',
    )
    .examples(
      'zonewright recover-key --data /var/lib/zonewright --replace',
      'export ZONEWRIGHT_KEY=$(zonewright recover-key --database postgres://zw@db.example.net/zw --print)',
    )
    .action(async (options: RecoverOptions) => {
      const { account, print, replace, json, adminKeyFile: file } = options;
      const config = loadStoreConfig(options, terminal, file === undefined ? {} : { adminKeyFile: [file] });
      const keyFile = print === true ? undefined : config.adminKeyFile;
      const { recoverKey } = await import('./recover-key.ts');
      const made = await recoverKey({ place: placeOf(config), account, keyFile, replace: replace === true });
      const about = `${made.account.name} <${made.account.email}>, account ${made.account.id}`;
      terminal.complain(`new administrative key ${made.key.id} of ${about}\n`);
      if (json === true) {
        const shown = keyFile === undefined ? { key: made.keyText } : { key_file: keyFile };
        printJson(terminal, { id: made.key.id, account: made.account.id, ...shown });
      } else terminal.print(keyFile === undefined ? `${made.keyText}\n` : `the key is in ${keyFile}\n`);
    });
}
