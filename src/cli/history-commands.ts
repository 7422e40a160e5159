import type { ChangeJson } from '../contract/response-shapes.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { exitCodes } from './exit-codes.ts';
import { parseWholeNumber } from './parse-whole-number.ts';
import { describeCounts, warningColumns } from './print-changes.ts';
import { printJson, printList, type Columns } from './print-list.ts';
import { formatRecord } from './record-columns.ts';
import { say } from './say.ts';
import type { Terminal } from './terminal.ts';
import { addPlanOptions, writeAsPlanned, type PlanOptions } from './write-as-planned.ts';

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

/** `zonewright check`, `changes` and `revert`: what is wrong with a domain, how it came to be so, and back again. */
export function addHistoryCommands(program: Command, terminal: Terminal): void {
  addCheckCommand(program, terminal);

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

function addCheckCommand(program: Command, terminal: Terminal): void {
  addConnectionOptions(program.command('check'))
    .description('list what in a domain will not work as it was meant; exits with 10 when there are errors')
    .argument('<domain>', 'its name')
    .examples('zonewright check example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const warnings = await connect(options, terminal).domains.check(domain);
      if (warnings.length > 0 || options.json === true)
        await printList(terminal, warningColumns, warnings, options);
      const errors = warnings.filter(({ severity }) => severity === 'error').length;
      if (errors === 0) return;
      throw new CommandFailure(
        exitCodes.problems,
        `${domain} has ${errors === 1 ? '1 error' : `${errors} errors`}`,
      );
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
