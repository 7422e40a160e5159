import type { Command } from 'commander';
import type { ZonewrightClient } from '../client/zonewright-client.ts';
import type { RecordJson } from '../contract/response-shapes.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { parseWholeNumber } from './parse-whole-number.ts';
import { printList, printOne, type Columns } from './print-list.ts';
import { addRecordTypesCommand } from './record-types-command.ts';
import type { Terminal } from './terminal.ts';
import { DEFAULT_WAIT_SECONDS, waitUntilServed } from './wait-until-served.ts';

const columns: Columns<RecordJson> = {
  id: (record) => record.id,
  name: (record) => (record.name === '' ? '@' : record.name),
  ttl: (record) => String(record.ttl),
  type: (record) => record.type,
  priority: (record) => (record.priority < 0 ? '-' : String(record.priority)),
  data: (record) => record.data,
};

type WaitOptions = ConnectionOptions & { wait?: boolean };
type CreateOptions = WaitOptions & { ttl?: number; priority?: number };

const waitHelp = `return when all nameservers serve it, within ${DEFAULT_WAIT_SECONDS} seconds`;

/** `zonewright record …`: the records of a domain. */
export function addRecordCommands(program: Command, terminal: Terminal): void {
  const group = program.command('record').description('list, create and delete the records of a domain');

  addConnectionOptions(group.command('list'))
    .description('list the records of a domain, in the order of their creation')
    .argument('<domain>', 'its name')
    .addHelpText('after', '\nExample:\n  $ zonewright record list example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const records = connect(options, terminal).records.list(domain);
      await printList(terminal, columns, records, options.json === true);
    });

  addConnectionOptions(group.command('create'))
    .description('create a record; safe to repeat')
    .argument('<domain>', 'the domain it belongs to')
    .argument('<name>', 'relative to the domain; @ is the domain itself')
    .argument('<type>', 'A, AAAA, MX, TXT, … as record types lists them, or TYPEnnn')
    .argument('<data...>', 'as in a zone file; put -- before data that begins with a hyphen')
    .option(
      '--ttl <seconds>',
      "how long it may be cached; else the server's default, if it has one",
      parseWholeNumber,
    )
    .option('--priority <number>', 'of MX and SRV, unless the data begins with it', parseWholeNumber)
    .option('--wait', waitHelp)
    .addHelpText(
      'after',
      '\nExamples:\n  $ zonewright record create example.com www A 192.0.2.1 --ttl 300' +
        '\n  $ zonewright record create example.com @ MX 10 mail.example.com --ttl 3600' +
        '\n  $ zonewright record create example.com _acme-challenge TXT x1y2z3 --ttl 60 --wait',
    )
    .action(async (domain: string, name: string, type: string, data: string[], options: CreateOptions) => {
      const { ttl, priority } = options;
      const record = { type, name, data: data.join(' '), ttl, priority };
      const client = connect(options, terminal);
      const { value, serial } = await client.records.create(domain, record);
      printOne(terminal, columns, value, options.json === true);
      await waitIfAsked(client, terminal, domain, serial, options);
    });

  addConnectionOptions(group.command('delete'))
    .description('delete a record')
    .argument('<domain>', 'the domain it belongs to')
    .argument('<id>', 'as record list shows it')
    .option('--wait', waitHelp)
    .addHelpText(
      'after',
      '\nExample:\n  $ zonewright record delete example.com 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11',
    )
    .action(async (domain: string, id: string, options: WaitOptions) => {
      const client = connect(options, terminal);
      const { serial } = await client.records.delete(domain, id);
      await waitIfAsked(client, terminal, domain, serial, options);
    });

  addRecordTypesCommand(group, terminal);
}

/** @param serial of the write; where the service did not say it, the domain's present one has the write in it too. */
async function waitIfAsked(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  serial: number | undefined,
  options: WaitOptions,
): Promise<void> {
  if (options.wait !== true) return;
  await waitUntilServed(client, terminal, domain, { serial, timeoutSeconds: DEFAULT_WAIT_SECONDS });
}
