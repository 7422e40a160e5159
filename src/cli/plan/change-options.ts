import type { WriteOptions } from '../../client/write-options.ts';
import type { Command } from '../command-line/command.ts';

/** What every command that writes to a domain takes. */
export interface ChangeOptions {
  readonly note?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export function addChangeOptions(command: Command): Command {
  return addDryRunOption(
    command
      .option('--note <text>', 'why, for the history')
      .option(
        '--if-match <etag>',
        'refuse unless the domain still has this revision, as domain show --revision prints it',
      )
      .option('--if-none-match <etag>', 'refuse where the domain has this revision; *: where it is there'),
  );
}

/** All that writes to accounts and keys take: they have neither history nor revisions. */
export function addDryRunOption(command: Command): Command {
  return command.option('--dry-run', 'show what would change and stop');
}

export function writeOptionsOf({ note, ifMatch, ifNoneMatch, dryRun }: ChangeOptions): WriteOptions {
  return { note, ifMatch, ifNoneMatch, dryRun };
}
