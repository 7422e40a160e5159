import type { RecordChanges } from '../../client/record-batches.ts';
import type { RecordsChanged } from '../../client/send-write.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { parseTtl } from '../command-line/parse-ttl.ts';
import {
  addConnectionOptions,
  connect,
  findProfile,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { complainOfWrite, describeCounts, NOTHING_TO_CHANGE } from '../plan/print-changes.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { printJson } from '../terminal/print-list.ts';
import { formatName } from '../terminal/record-columns.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { planRecordSet } from './plan-record-set.ts';

type SetOptions = ConnectionOptions & ChangeOptions & { ttl?: number };

/** `zonewright record set`: all records of one name and type. */
export function addRecordSetCommand(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('set')))
    .description('make these the only records of a name and type; safe to repeat')
    .argument('<domain>', 'name of the domain')
    .argument('<name>', 'name relative to the domain; @ is the domain itself')
    .argument('<type>', 'A, AAAA, MX, TXT, … (see record types), or TYPEnnn')
    .argument('<data...>', 'data of each record, in quotes if it has spaces')
    .option(
      '--ttl <time>',
      'time to live, in seconds or as 1h30m (default: that of the existing records)',
      parseTtl,
    )
    .examples(
      'zonewright record set example.com www A 192.0.2.1 192.0.2.2 --ttl 5m',
      'zonewright record set example.com @ MX "10 mx1.example.com" "20 mx2.example.com"',
    )
    .action(async (domain: string, name: string, type: string, data: string[], options: SetOptions) => {
      checkWords(type, data);
      const client = connect(options, terminal);
      const { ttl } = options;
      const defaultTtl = findProfile(options, terminal.environment)?.ttl;
      const { ifMatch, records } = await readRecordSet(client, domain, name, type);
      const changes = planRecordSet(records, { name, type, data, ttl, defaultTtl });
      if (changes === undefined) {
        const unchanged = { created: [], updated: [], deleted: [], unchanged: records.length };
        if (options.json === true) printJson(terminal, { changes: unchanged });
        return say(terminal, NOTHING_TO_CHANGE);
      }
      await writeRecordSet(client, terminal, domain, changes, { ifMatch, ...options });
    });
}

/** `record create` takes the priority as a word of its own; here, each word is a record. */
function checkWords(type: string, data: readonly string[]): void {
  if (!/^(?:MX|SRV)$/i.test(type) || !data.some((word) => /^\d+$/.test(word.trim()))) return;
  const sentence = `each record of type ${type.toUpperCase()} is one word: put priority and host in quotes, as in "10 mail.example.com"`;
  throw new CommandFailure(exitCodes.usage, sentence);
}

/** @throws CommandFailure if there are no such records */
export async function deleteRecordSet(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  { name, type }: Pick<RecordJson, 'name' | 'type'>,
  options: SetOptions,
): Promise<RecordsChanged | undefined> {
  const { ifMatch, records } = await readRecordSet(client, domain, name, type);
  if (records.length === 0) {
    const sentence = `${domain} has no ${type.toUpperCase()} records at ${formatName(name)}`;
    throw new CommandFailure(exitCodes.notFound, sentence);
  }
  const changes = { delete: records.map(({ id }) => id) };
  return writeRecordSet(client, terminal, domain, changes, { ifMatch, ...options });
}

interface RecordSet {
  /** The revision of the domain before the records were read: a later change makes the write fail. */
  readonly ifMatch: string | undefined;
  readonly records: readonly RecordJson[];
}

async function readRecordSet(
  client: ZonewrightClient,
  domain: string,
  name: string,
  type: string,
): Promise<RecordSet> {
  const ifMatch = await client.domains.revision(domain);
  const records: RecordJson[] = [];
  for await (const record of client.records.list(domain, { name, type })) records.push(record);
  return { ifMatch, records };
}

async function writeRecordSet(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  changes: RecordChanges,
  options: SetOptions,
): Promise<RecordsChanged | undefined> {
  const written = await writeOrShow(terminal, options, (write) =>
    client.records.change(domain, changes, { ...write, warnings: true }),
  );
  if (written === undefined) return undefined;
  complainOfWrite(terminal, written);
  if (options.json === true) printJson(terminal, { changes: written.changes });
  else say(terminal, describeCounts(written.changes));
  return written;
}
