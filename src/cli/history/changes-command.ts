import type { ChangeOptions } from '../../client/domains-client.ts';
import type { ChangeJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { firstOf, printList, type Columns } from '../terminal/print-list.ts';
import { formatRecord } from '../terminal/record-columns.ts';
import type { Terminal } from '../terminal/terminal.ts';

const columns: Columns<ChangeJson> = {
  date: ({ date }) => date,
  serial: ({ serial }) => String(serial),
  action: ({ action }) => action,
  old: ({ old, soa, strings }) =>
    old !== null
      ? formatRecord({ ...old, data: strings?.before ?? old.data })
      : soa === null
        ? '-'
        : formatSoa(soa.before),
  new: ({ new: now, soa, strings }) =>
    now !== null
      ? formatRecord({ ...now, data: strings?.after ?? now.data })
      : soa === null
        ? '-'
        : formatSoa(soa.after),
  key: ({ key }) => key,
  address: ({ address }) => address ?? '-',
  note: ({ note }) => note ?? '-',
};

type ChangesOptions = ConnectionOptions & ChangeOptions & { readonly limit?: number };

/** `zonewright changes`: the history of a domain. */
export function declareChangesCommand(command: Command, terminal: Terminal): void {
  addConnectionOptions(command)
    .argument('<domain>', 'name of the domain')
    .option('--actor <id>', 'only what this API key or user changed')
    .option('--from <time>', 'only changes from this time on')
    .option('--to <time>', 'only changes before this time')
    .option('--limit <number>', 'show at most this many changes', parseWholeNumber)
    .examples(
      'zonewright changes example.com --limit 20',
      'zonewright changes example.com --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z',
    )
    .action(async (domain: string, options: ChangesOptions) => {
      const { actor, from, to, limit = Infinity } = options;
      const changes = connect(options, terminal).domains.changes(domain, { actor, from, to });
      await printList(terminal, columns, firstOf(changes, limit), options);
    });
}

/** Null stands for the service's default. */
function formatSoa({ nsprimary, email }: NonNullable<ChangeJson['soa']>['before']): string {
  return `SOA ${nsprimary ?? 'default'} ${email ?? 'default'}`;
}
