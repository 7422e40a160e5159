import { Option } from 'commander';
import type { RecordFilter } from '../../client/records-client.ts';
import type { FoundRecordJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { escapeJson } from '../terminal/escape-controls.ts';
import { printList, printOne, type Columns } from '../terminal/print-list.ts';
import { recordColumns } from '../terminal/record-columns.ts';
import { addRecordBulkCommands } from './record-bulk-commands.ts';
import { addRecordTypesCommand } from './record-types-command.ts';
import { addRecordWritingCommands } from './record-writing-commands.ts';
import type { Terminal } from '../terminal/terminal.ts';

const foundColumns: Columns<FoundRecordJson> = { domain: (record) => record.domain, ...recordColumns };

interface FilterOptions extends ConnectionOptions {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly dataPrefix?: string;
  readonly dataContains?: string;
  readonly search?: string;
}

/** `zonewright record …`: the records of a domain. */
export function declareRecordCommands(group: Command, terminal: Terminal): void {
  addListCommand(group, terminal);

  addConnectionOptions(group.command('show'))
    .description('show one record')
    .argument('<domain>', 'name of the domain')
    .argument('<id>', 'id, as shown by record list')
    .examples('zonewright record show example.com 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11')
    .action(async (domain: string, id: string, options: ConnectionOptions) => {
      printOne(terminal, recordColumns, await connect(options, terminal).records.get(domain, id), options);
    });

  addFilterOptions(addConnectionOptions(group.command('search')))
    .description('find records in all domains of your account')
    .argument('[text]', 'text in the name or data')
    .examples(
      'zonewright record search 192.0.2.7',
      'zonewright record search --type MX --data mail.example.com',
    )
    .action(async (text: string | undefined, options: FilterOptions) => {
      const found = connect(options, terminal).records.search({ ...filterOf(options), search: text });
      await printList(terminal, foundColumns, found, options);
    });

  addConnectionOptions(group.command('export'))
    .description('print all records of a domain with their ids as JSON, a record a line, as of one moment')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright record export example.com > example.com.records.jsonl')
    .action(async (domain: string, options: ConnectionOptions) => {
      const { slices } = await connect(options, terminal).records.export(domain);
      for await (const records of slices) {
        const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
        terminal.print(terminal.isInteractive ? escapeJson(lines) : lines);
      }
    });

  addRecordWritingCommands(group, terminal);
  addRecordBulkCommands(group, terminal);
  addRecordTypesCommand(group, terminal);
}

function addListCommand(group: Command, terminal: Terminal): void {
  addFilterOptions(addConnectionOptions(group.command('list')))
    .description('list the records of a domain in order of creation')
    .argument('<domain>', 'name of the domain')
    .option('--search <text>', 'only records whose name or data contains this text')
    .examples(
      'zonewright record list example.com',
      'zonewright record list example.com --type TXT --data-prefix v=spf1',
      'zonewright record list example.com --search mail --json',
    )
    .action(async (domain: string, options: FilterOptions) => {
      const records = connect(options, terminal).records.list(domain, filterOf(options));
      await printList(terminal, recordColumns, records, options);
    });
}

function addFilterOptions(command: Command): Command {
  return command
    .option('--type <type>', 'only records of this type')
    .option('--name <name>', 'only records at this name; @ is the domain itself')
    .option('--data <data>', 'only records with exactly this data')
    .addOption(
      new Option('--data-prefix <text>', 'only records whose data begins with this text').conflicts([
        'data',
        'dataContains',
      ]),
    )
    .addOption(
      new Option('--data-contains <text>', 'only records whose data contains this text').conflicts('data'),
    );
}

function filterOf({ type, name, data, dataPrefix, dataContains, search }: FilterOptions): RecordFilter {
  const base = { type, name, search };
  if (dataPrefix !== undefined) return { ...base, data: dataPrefix, data_match: 'prefix' };
  if (dataContains !== undefined) return { ...base, data: dataContains, data_match: 'contains' };
  return { ...base, data };
}
