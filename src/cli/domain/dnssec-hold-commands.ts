import type { Command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions & ChangeOptions;

/** `zonewright domain dnssec hold`, `resume` and `seen`: the owner's say in a rollover or withdrawal. */
export function addDnssecHoldCommands(dnssec: Command, terminal: Terminal): void {
  const add = (name: 'hold' | 'resume', description: string): void => {
    addChangeOptions(addConnectionOptions(dnssec.command(name)))
      .description(description)
      .argument('<domain>', 'name of the signed domain')
      .examples(`zonewright domain dnssec ${name} example.com`)
      .action(async (domain: string, options: Options) => {
        const { domains } = connect(options, terminal);
        await writeOrShow(terminal, options, (write) => domains.holdRollover(domain, name === 'hold', write));
      });
  };
  add('hold', 'keep the exchange of a key, or the end of signing, from going on by itself');
  add('resume', 'let what is held go on');

  addChangeOptions(addConnectionOptions(dnssec.command('seen')))
    .description('say which DS records the parent zone has, where the service cannot ask it')
    .argument('<domain>', 'name of the signed domain')
    .argument('[ds...]', 'data of all its DS records, such as "27933 13 2 E2D3…"')
    .option('--none', 'the parent zone has no DS record')
    .option(
      '--ttl <seconds>',
      'of these records, or of those that are gone; default: a day',
      parseWholeNumber,
    )
    .examples(
      'zonewright domain dnssec seen example.com "27933 13 2 E2D3C916…" --ttl 3600',
      'zonewright domain dnssec seen example.com --none',
    )
    .action(
      async (domain: string, ds: string[], options: Options & { none?: true; ttl?: number | undefined }) => {
        const { none, ttl, ...rest } = options;
        if ((none === true) === ds.length > 0) {
          throw new CommandFailure(exitCodes.usage, 'seen needs either DS records or --none');
        }
        const { domains } = connect(rest, terminal);
        await writeOrShow(terminal, rest, (write) => domains.noteDsSeen(domain, { ds, ttl }, write));
      },
    );
}
