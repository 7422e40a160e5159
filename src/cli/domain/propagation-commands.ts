import type { PropagationJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { printJson, printList, printOne, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { DEFAULT_WAIT_SECONDS, requireServed, watchPropagation } from './wait-until-served.ts';

const nameserverColumns: Columns<PropagationJson['nameservers'][number]> = {
  nameserver: (nameserver) => nameserver.name,
  serial: (nameserver) => String(nameserver.serial ?? '-'),
  taken: (nameserver) => nameserver.date_taken ?? '-',
  seen: (nameserver) => nameserver.date_seen,
  live: (nameserver) => (nameserver.live ? 'yes' : 'no'),
  current: (nameserver) => (nameserver.current ? 'yes' : 'no'),
};

const servedColumns: Columns<PropagationJson> = {
  domain: (propagation) => propagation.domain,
  serial: (propagation) => String(propagation.serial),
  nameservers: ({ nameservers }) =>
    nameservers
      .filter(({ live }) => live)
      .map(({ name }) => name)
      .join(', '),
};

type WaitOptions = ConnectionOptions & { serial?: number; timeout: number };

/** `zonewright domain propagation` and `domain wait`: the serials that nameservers serve. */
export function addPropagationCommands(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('propagation'))
    .description('show the serial that each nameserver serves')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain propagation example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const propagation = await connect(options, terminal).domains.propagation(domain);
      if (options.json === true) printJson(terminal, propagation);
      else await printList(terminal, nameserverColumns, propagation.nameservers, options);
    });

  addConnectionOptions(group.command('wait'))
    .description('wait until all live nameservers serve the latest changes')
    .argument('<domain>', 'name of the domain')
    .option(
      '--serial <number>',
      'wait for this serial, as returned in Zone-Serial (default: the current serial)',
      parseWholeNumber,
    )
    .option('--timeout <seconds>', 'stop waiting after this time', parseWholeNumber, DEFAULT_WAIT_SECONDS)
    .addHelpText(
      'after',
      '\nSerials are compared as in RFC 1982: 0 follows 4294967295, and up to 2147483647 ahead is later.',
    )
    .examples(
      'zonewright domain wait example.com && ./ask-for-certificate',
      'zonewright domain wait example.com --serial 1763650001 --timeout 10',
    )
    .action(async (domain: string, options: WaitOptions) => {
      const { serial, timeout: timeoutSeconds } = options;
      const client = connect(options, terminal);
      const seen = await watchPropagation(client, terminal, domain, { serial, timeoutSeconds });
      if (options.json === true) printJson(terminal, seen);
      requireServed(terminal, seen, timeoutSeconds);
      if (options.json !== true) printOne(terminal, servedColumns, seen, options);
    });
}
