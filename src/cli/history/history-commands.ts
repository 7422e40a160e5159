import type { ChangeJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { describeCounts } from '../plan/print-changes.ts';
import { printJson, printList, type Columns } from '../terminal/print-list.ts';
import { formatRecord } from '../terminal/record-columns.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addPlanOptions, writeAsPlanned, type PlanOptions } from '../plan/write-as-planned.ts';

const columns: Columns<ChangeJson> = {
  date: ({ date }) => date,
  serial: ({ serial }) => String(serial),
  action: ({ action }) => action,
  old: ({ old, soa }) => (old !== null ? formatRecord(old) : soa === null ? '-' : formatSoa(soa.before)),
  new: ({ new: now, soa }) => (now !== null ? formatRecord(now) : soa === null ? '-' : formatSoa(soa.after)),
  key: ({ key }) => key,
  address: ({ address }) => address ?? '-',
  note: ({ note }) => note ?? '-',
};

type RevertOptions = ConnectionOptions & PlanOptions & { to: number };

/** `zonewright changes` and `revert`: the history of a domain, and the way back to an earlier serial. */
export function addHistoryCommands(program: Command, terminal: Terminal): void {
  addConnectionOptions(program.command('changes'))
    .description('show what was changed in a domain, newest first')
    .argument('<domain>', 'its name')
    .option('--limit <number>', 'no more than so many changes', parseWholeNumber)
    .examples('zonewright changes example.com --limit 20')
    .action(async (domain: string, options: ConnectionOptions & { limit?: number }) => {
      const changes = connect(options, terminal).domains.changes(domain);
      await printList(terminal, columns, firstOf(changes, options.limit ?? Infinity), options);
    });

  addPlanOptions(addConnectionOptions(program.command('revert')))
    .description("make a domain's records what they were at an earlier serial; itself a change")
    .argument('<domain>', 'its name')
    .requiredOption('--to <serial>', 'the serial, as changes shows it', parseWholeNumber)
    .examples(
      'zonewright revert example.com --to 1763650001 --dry-run',
      'zonewright revert example.com --to 1763650001 --note "wrong MX"',
    )
    .action(async (domain: string, options: RevertOptions) => {
      const client = connect(options, terminal);
      const written = await writeAsPlanned(client, terminal, domain, options, (write) =>
        client.domains.revert(domain, options.to, write),
      );
      if (written === undefined) return;
      if (options.json === true) printJson(terminal, { changes: written.changes });
      else say(terminal, describeCounts(written.changes));
    });
}

/** Null is the service's default. */
function formatSoa({ nsprimary, email }: NonNullable<ChangeJson['soa']>['before']): string {
  return `SOA ${nsprimary ?? 'default'} ${email ?? 'default'}`;
}

async function* firstOf<T>(rows: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  let left = limit;
  if (left === 0) return;
  for await (const row of rows) {
    yield row;
    if (--left === 0) return;
  }
}
