import type { TrailOptions } from '../../client/trail-client.ts';
import type { TrailEntryJson } from '../../contract/trail-shape.ts';
import type { Command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { firstOf, printList, type Columns } from '../terminal/print-list.ts';
import { escapeJson } from '../terminal/escape-controls.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Scripts know them by their places. */
const columns: Columns<TrailEntryJson> = {
  date: ({ date }) => date,
  action: ({ action, count }) => (count === 1 ? action : `${action} (${count} times)`),
  // Failed log-ins have no actor.
  actor: ({ actor, actor_name: name }) => (name === '' ? actor || '-' : name),
  address: ({ address }) => address ?? '-',
  object: ({ object }) => object || '-',
  detail: ({ detail }) => describeDetail(detail),
};

const accountColumns: Columns<TrailEntryJson> = {
  ...columns,
  account: ({ account }) => account ?? '-',
};

type Options = ConnectionOptions & TrailOptions & { readonly limit?: number; readonly jsonLines?: true };

/** `zonewright trail`: who did what in an account. */
export function declareTrailCommand(command: Command, terminal: Terminal): void {
  addConnectionOptions(command)
    .option('--action <action>', 'only this action, or all of an object with its dot: key.')
    .option('--actor <id>', 'only what this API key or user did')
    .option('--object <object>', 'only what happened to this: an id, or the name of a domain')
    .option('--address <address>', 'only what came from this network address')
    .option('--from <time>', 'only entries from this time on')
    .option('--to <time>', 'only entries before this time')
    .option('--account <id>', 'another account, or all (default: your own); needs an administrative key')
    .option('--limit <number>', 'show at most this many entries', parseWholeNumber)
    .option('--json-lines', 'print all of them as JSON, an entry a line, earliest first')
    .examples(
      'zonewright trail --limit 20',
      'zonewright trail --action key. --from 2026-11-01T00:00:00Z',
      'zonewright trail --account all --action session.refuse',
      'zonewright trail --json-lines > trail.jsonl',
    )
    .action(async (options: Options) => {
      const { account, action, actor, object, address, from, to, limit = Infinity } = options;
      const { trail } = connect(options, terminal);
      const wanted = { account, action, actor, object, address, from, to };
      if (options.jsonLines === true) return printLines(terminal, await trail.export(wanted));
      const shown = account === 'all' ? accountColumns : columns;
      await printList(terminal, shown, firstOf(trail.list(wanted), limit), options);
    });
}

function printLines(terminal: Terminal, text: string): void {
  terminal.print(terminal.isInteractive ? escapeJson(text) : text);
}

/** `label: terraform, scope: full`. */
function describeDetail(detail: TrailEntryJson['detail']): string {
  const members = Object.entries(detail ?? {});
  return members.length === 0 ? '-' : members.map(([name, value]) => `${name}: ${value}`).join(', ');
}
