import type { DelegationJson } from '../../contract/delegation-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { printJson, printOne, printTable, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

const columns: Columns<DelegationJson> = {
  state: ({ state }) => state,
  'next step': (delegation) => delegation.next_step,
  'parent zone': ({ parent }) => parent ?? '-',
  nameservers: ({ expected }) => expected.nameservers.join(', ') || '-',
  glue: ({ expected }) => showGlue(expected.glue),
  DS: ({ expected }) => expected.ds.join(', ') || '-',
  'servers asked': (delegation) => delegation.looked_at ?? '-',
};

const serverColumns: Columns<DelegationJson['servers'][number]> = {
  server: ({ server }) => server,
  address: ({ address }) => address ?? '-',
  'delegates to': ({ nameservers }) => listOrNone(nameservers),
  glue: ({ glue }) => (glue === null ? '-' : showGlue(glue)),
  DS: ({ ds }) => listOrNone(ds),
  problem: ({ problem }) => problem ?? '-',
};

const problemColumns: Columns<DelegationJson['problems'][number]> = {
  problem: ({ code }) => code,
  'what is wrong': ({ message }) => message,
  'seen at': ({ servers }) => servers.join(', ') || '-',
};

type DelegationOptions = ConnectionOptions & { readonly refresh?: boolean };

/** `zonewright domain delegation`: what the parent zone has, and what the registrar must be told. */
export function addDelegationCommand(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('delegation'))
    .description('show how the parent zone delegates a domain, and what to tell the registrar')
    .argument('<domain>', 'name of the domain')
    .option('--refresh', 'ask the servers of the parent zone again')
    .examples(
      'zonewright domain delegation example.com',
      'zonewright domain delegation example.com --refresh',
    )
    .action(async (domain: string, options: DelegationOptions) => {
      const { domains } = connect(options, terminal);
      const delegation = await domains.delegation(domain, { refresh: options.refresh });
      show(terminal, delegation, options);
      const { state, problems } = delegation;
      if (state === 'delegated' && problems.length === 0) return;
      throw new CommandFailure(exitCodes.problems, `the delegation of ${domain} is not as it should be`);
    });
}

function show(terminal: Terminal, delegation: DelegationJson, options: ConnectionOptions): void {
  if (options.json === true) return printJson(terminal, delegation);
  printOne(terminal, columns, delegation, options);
  if (options.plain === true) return;
  const { problems, servers } = delegation;
  if (problems.length > 0) {
    terminal.print('\n');
    printTable(terminal, problemColumns, problems, options);
  }
  if (servers.length > 0) {
    terminal.print('\n');
    printTable(terminal, serverColumns, servers, options);
  }
}

function showGlue(glue: DelegationJson['expected']['glue']): string {
  return glue.map(({ name, address }) => `${name} ${address}`).join(', ') || 'none';
}

function listOrNone(values: readonly string[] | null): string {
  if (values === null) return '-';
  return values.join(', ') || 'none';
}
