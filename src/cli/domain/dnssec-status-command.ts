import type { SigningStatusJson } from '../../contract/signing-status-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { printJson, printOne, printTable, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

type SeenJson = SigningStatusJson['ds']['seen'][number];

const columns: Columns<SigningStatusJson> = {
  state: ({ state }) => state,
  'next step': (status) => status.next_step,
  denial: ({ denial }) => denial ?? '-',
  keys: ({ keys }) => keys.map(({ tag, algorithm }) => `${tag} (algorithm ${algorithm})`).join(', ') || '-',
  'DS wanted': ({ ds }) => ds.wanted.join(', ') || '-',
  'signatures last at least until': (status) => status.earliest_expiry ?? '-',
  'parent zone asked': ({ ds }) => ds.date_checked ?? '-',
};

const seenColumns: Columns<SeenJson> = {
  'server of the parent zone': ({ server }) => server,
  address: ({ address }) => address ?? '-',
  ds: ({ ds, problem }) => (ds === null ? (problem ?? '-') : ds.join(', ') || 'none'),
};

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
