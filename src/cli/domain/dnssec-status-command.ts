import type { RolloverJson, SigningStatusJson } from '../../contract/signing-status-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { printJson, printOne, printTable, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

type SeenJson = SigningStatusJson['ds']['seen'][number];

const columns: Columns<SigningStatusJson> = {
  state: ({ state }) => state,
  'next step': (status) => status.next_step,
  denial: ({ denial }) => denial ?? '-',
  keys: ({ keys }) => keys.map(describeKey).join(', ') || '-',
  rollover: ({ rollover }) => (rollover === null ? '-' : describeRollover(rollover)),
  'DS wanted': ({ ds }) => ds.wanted.join(', ') || '-',
  'signatures last at least until': (status) => status.earliest_expiry ?? '-',
  'parent zone asked': ({ ds }) => ds.date_checked ?? '-',
};

const seenColumns: Columns<SeenJson> = {
  'server of the parent zone': ({ server }) => server,
  address: ({ address }) => address ?? '-',
  ds: ({ ds, problem }) => (ds === null ? (problem ?? '-') : ds.join(', ') || 'none'),
};

function describeKey({ tag, algorithm, state, origin }: SigningStatusJson['keys'][number]): string {
  const further = [state === 'active' ? [] : [state], origin === 'made' ? [] : [origin]].flat();
  return `${tag} (${[`algorithm ${algorithm}`, ...further].join(', ')})`;
}

function describeRollover({ kind, step, date_step: begun, date_next: next, held }: RolloverJson): string {
  return `${kind}, step ${step} since ${begun}${next === null ? '' : `, until ${next}`}${held ? ', held' : ''}`;
}

/** `zonewright domain dnssec status`. */
export function addDnssecStatusCommand(dnssec: Command, terminal: Terminal): void {
  addConnectionOptions(dnssec.command('status'))
    .description('show how a domain is signed, which DS records its parent zone has, and what to do next')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain dnssec status example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const status = await connect(options, terminal).domains.dnssecStatus(domain);
      if (options.json === true) return printJson(terminal, status);
      printOne(terminal, columns, status, options);
      const { seen } = status.ds;
      if (options.plain === true || seen.length === 0) return;
      terminal.print('\n');
      printTable(terminal, seenColumns, seen, options);
    });
}
