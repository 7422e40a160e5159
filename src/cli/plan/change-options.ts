import type { WriteOptions } from '../../client/write-options.ts';
import type { Command } from '../command-line/command.ts';

/** Options of every command that writes to a domain. */
export interface ChangeOptions {
  readonly note?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export function addChangeOptions(command: Command): Command {
  return addDryRunOption(
    command
      .option('--note <text>', 'reason, kept in the history')
      .option(
        '--if-match <etag>',
        'only if the domain still has this revision, as printed by domain show --revision',
      )
      .option(
        '--if-none-match <etag>',
        'only if the domain does not have this revision; * means only if it does not exist',
      ),
  );
}

/** The only such option of commands that write to accounts and keys, which have no history and no revisions. */
export function addDryRunOption(command: Command): Command {
  return command.option('--dry-run', 'show what would change, and change nothing');
}

export function writeOptionsOf({ note, ifMatch, ifNoneMatch, dryRun }: ChangeOptions): WriteOptions {
  return { note, ifMatch, ifNoneMatch, dryRun };
}
