import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import type { Command } from '../command-line/command.ts';
import {
  addConnectionOptions,
  connect,
  findProfile,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { parseTtl } from '../command-line/parse-ttl.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { complainOfWrite } from '../plan/print-changes.ts';
import { printOne } from '../terminal/print-list.ts';
import { addRecordSetCommand, deleteRecordSet } from './record-set-commands.ts';
import { addRecordBatchCommand } from './record-batch-command.ts';
import { describeStored } from './describe-stored.ts';
import { recordColumns } from '../terminal/record-columns.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { DEFAULT_WAIT_SECONDS, waitUntilServed } from '../domain/wait-until-served.ts';
import { writeOrShow } from '../plan/write-or-show.ts';

type WriteOptions = ConnectionOptions & ChangeOptions & { wait?: boolean };
type CreateOptions = WriteOptions & { ttl?: number; priority?: number };
type UpdateOptions = CreateOptions & { name?: string; data?: string };

const waitHelp = `wait until all nameservers serve the change, at most ${DEFAULT_WAIT_SECONDS} seconds`;

/** `zonewright record create`, `set`, `update`, `delete` and `batch`. */
export function addRecordWritingCommands(group: Command, terminal: Terminal): void {
  addCreateCommand(group, terminal);
  addRecordSetCommand(group, terminal);
  addUpdateCommand(group, terminal);
  addDeleteCommand(group, terminal);
  addRecordBatchCommand(group, terminal);
}

function addDeleteCommand(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('delete')))
    .description('delete a record, or all records of a name and type')
    .argument('<domain>', 'name of the domain')
    .argument('<id-or-name>', 'id, as shown by record list; with a type, the name')
    .argument('[type]', 'delete all records of this type at the name')
    .option('--wait', waitHelp)
    .examples(
      'zonewright record delete example.com 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11',
      'zonewright record delete example.com www AAAA',
    )
    .action(async (domain: string, place: string, type: string | undefined, options: WriteOptions) => {
      const client = connect(options, terminal);
      const deleted =
        type === undefined
          ? await writeOrShow(terminal, options, (write) => client.records.delete(domain, place, write))
          : await deleteRecordSet(client, terminal, domain, { name: place, type }, options);
      if (deleted !== undefined) await waitIfAsked(client, terminal, domain, deleted.serial, options);
    });
}

function addCreateCommand(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('create')))
    .description('create a record; safe to repeat')
    .argument('<domain>', 'name of the domain')
    .argument('<name>', 'name relative to the domain; @ is the domain itself')
    .argument('<type>', 'A, AAAA, MX, TXT, … (see record types), or TYPEnnn')
    .argument('<data...>', 'data, as in a zone file; write -- before data that begins with a hyphen')
    .option(
      '--ttl <time>',
      'time to live, in seconds or as 1h30m (default: that of the profile, then that of the server)',
      parseTtl,
    )
    .option(
      '--priority <number>',
      'priority of MX and SRV records, unless the data begins with it',
      parseWholeNumber,
    )
    .option('--wait', waitHelp)
    .examples(
      'zonewright record create example.com www A 192.0.2.1 --ttl 1h',
      'zonewright record create example.com @ MX 10 mail.example.com --ttl 3600',
      'zonewright record create example.com _acme-challenge TXT x1y2z3 --ttl 60 --wait',
    )
    .action(async (domain: string, name: string, type: string, data: string[], options: CreateOptions) => {
      const { priority } = options;
      const ttl = options.ttl ?? findProfile(options, terminal.environment)?.ttl;
      const record = { type, name, data: data.join(' '), ttl, priority };
      const client = connect(options, terminal);
      const created = await writeOrShow(terminal, options, (write) =>
        client.records.create(domain, record, { ...write, warnings: true }),
      );
      if (created === undefined) return;
      printOne(terminal, recordColumns, created.value, options);
      const stored = describeStored(domain, record, created.value);
      if (stored !== undefined) say(terminal, stored);
      complainOfWrite(terminal, created);
      await waitIfAsked(client, terminal, domain, created.serial, options);
    });
}

function addUpdateCommand(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('update')))
    .description('update a record; values that are not given stay the same')
    .argument('<domain>', 'name of the domain')
    .argument('<id>', 'id, as shown by record list')
    .option('--name <name>', 'new name; @ is the domain itself')
    .option('--data <data>', 'new data')
    .option('--ttl <time>', 'new time to live, in seconds or as 1h30m', parseTtl)
    .option('--priority <number>', 'new priority of an MX or SRV record', parseWholeNumber)
    .option('--wait', waitHelp)
    .examples('zonewright record update example.com 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11 --ttl 300')
    .action(async (domain: string, id: string, options: UpdateOptions) => {
      const { name, data, ttl, priority } = options;
      const client = connect(options, terminal);
      const patch = { name, data, ttl, priority };
      const updated = await writeOrShow(terminal, options, (write) =>
        client.records.update(domain, id, patch, write),
      );
      if (updated === undefined) return;
      printOne(terminal, recordColumns, await client.records.get(domain, id), options);
      await waitIfAsked(client, terminal, domain, updated.serial, options);
    });
}

/** @param serial of the write; undefined waits for the current serial, which includes the write */
async function waitIfAsked(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  serial: number | undefined,
  options: WriteOptions,
): Promise<void> {
  if (options.wait !== true) return;
  await waitUntilServed(client, terminal, domain, { serial, timeoutSeconds: DEFAULT_WAIT_SECONDS });
}
