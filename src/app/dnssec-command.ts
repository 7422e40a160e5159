import { silentLog } from '../base/log.ts';
import type { Command } from '../cli/command-line/command.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { countOf } from '../cli/terminal/count-of.ts';
import { printJson } from '../cli/terminal/print-list.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { StoreOpenError } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import type { Resealed } from './reseal-keys.ts';
import { addStoreOptions, loadStoreConfig, type StoreOptions } from './store-options.ts';

type ResealOptions = StoreOptions & { readonly json?: true };

/** `zonewright dnssec`: the secret of the service's own keys. */
export function declareDnssec(group: Command, terminal: Terminal): void {
  addStoreOptions(group.command('reseal'))
    .description(
      'encrypt the DNSSEC keys of all domains, and the secrets of one-time codes, with another secret',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nEmbedded store: stop the service first. A new secret is put into dnssec.key, and the former one is kept in a file\n' +
        'beside it, which backups made until now need. With ZONEWRIGHT_DNSSEC_SECRET set, and always on PostgreSQL: put the\n' +
        'new secret before the old one in the setting, restart all services with it, and then run this command.',
    )
    .examples(
      'zonewright dnssec reseal --data /var/lib/zonewright',
      'zonewright dnssec reseal --config /etc/zonewright/zonewright.toml',
    )
    .action(async ({ json, ...options }: ResealOptions) => {
      const config = loadStoreConfig(options, terminal);
      const { resealKeys } = await import('./reseal-keys.ts');
      const done = await resealKeys(config, silentLog, () => undefined).catch(explain);
      if (json === true) printJson(terminal, toJson(done));
      else terminal.print(describe(done));
      if (done.lost.size > 0) throw new CommandFailure(exitCodes.failed, describeLost(done));
    });
}

function toJson({ resealed, resealedCodes, lost, formerFile }: Resealed) {
  return {
    resealed,
    one_time_codes: resealedCodes,
    not_opened: Object.fromEntries(lost),
    former_secrets: formerFile ?? null,
  };
}

function describe({ resealed, resealedCodes, formerFile }: Resealed): string {
  const codes = resealedCodes === 0 ? '' : `, ${countOf(resealedCodes, 'secret')} of one-time codes`;
  const done = `encrypted again: ${countOf(resealed, 'key')}${codes}\n`;
  if (formerFile === undefined) return done;
  return `${done}the former secret is in ${formerFile}: backups made until now need it; delete it when they are gone\n`;
}

function describeLost({ lost }: Resealed): string {
  const all = [...lost].map(([secretId, keys]) => `${keys} with ${secretId}`);
  return `some keys or secrets of one-time codes were left as they are, because the secrets that open them are not here: ${all.join(', ')}`;
}

function explain(error: unknown): never {
  if (error instanceof StoreOpenError) {
    throw new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    throw new CommandFailure(exitCodes.unreachable, error.message, { cause: error });
  }
  throw error;
}
