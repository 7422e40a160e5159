import { Option } from 'commander';
import type { SigningStatusJson, RolloverJson } from '../../contract/signing-status-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { printOne, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions & ChangeOptions;

const columns: Columns<RolloverJson> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  step: ({ step }) => step,
};

/** `zonewright domain dnssec roll` and `cancel`: the exchange of the key of a domain. */
export function addDnssecRolloverCommands(dnssec: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(dnssec.command('roll')))
    .description('begin to exchange the key of a signed domain for a new one')
    .argument('<domain>', 'name of the signed domain')
    .addOption(
      new Option(
        '--algorithm <number>',
        'of the new key: 13 (ECDSA P-256) or 15 (Ed25519); default: as before',
      ).choices(['13', '15']),
    )
    .examples(
      'zonewright domain dnssec roll example.com',
      'zonewright domain dnssec roll example.com --algorithm 15',
    )
    .action(async (domain: string, { algorithm, ...options }: Options & { algorithm?: '13' | '15' }) => {
      const { domains } = connect(options, terminal);
      const started = await writeOrShow(terminal, options, (write) =>
        domains.startRollover(domain, { algorithm: algorithm === undefined ? undefined : +algorithm }, write),
      );
      if (started === undefined) return;
      printOne(terminal, columns, started.value, options);
      say(
        terminal,
        `The key of ${domain} is being exchanged. Nothing has to be done until the DS record at the parent zone has to be replaced: zonewright domain dnssec status ${domain} says when, and what happens meanwhile`,
      );
    });

  addChangeOptions(addConnectionOptions(dnssec.command('cancel')))
    .description('cancel the exchange of a key, as long as the parent zone does not have the new DS record')
    .argument('<domain>', 'name of the signed domain')
    .examples('zonewright domain dnssec cancel example.com')
    .action(async (domain: string, options: Options) => {
      const { domains } = connect(options, terminal);
      const id = getRolloverId(domain, await domains.dnssecStatus(domain));
      await writeOrShow(terminal, options, (write) => domains.cancelRollover(domain, id, write));
    });
}

/** @throws CommandFailure if there is nothing to cancel */
function getRolloverId(domain: string, { rollover }: SigningStatusJson): string {
  if (rollover === null) {
    throw new CommandFailure(exitCodes.notFound, `no key of ${domain} is being exchanged`);
  }
  if (rollover.kind === 'withdrawal') {
    const sentence = `signing of ${domain} is being withdrawn: zonewright domain dnssec on ${domain} takes that back`;
    throw new CommandFailure(exitCodes.refused, sentence);
  }
  return rollover.id;
}
