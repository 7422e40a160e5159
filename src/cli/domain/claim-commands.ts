import type { DomainsClient } from '../../client/domains-client.ts';
import type { ClaimJson } from '../../contract/claim-shape.ts';
import type { Command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { printJson, printOne, printTable, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

const columns: Columns<ClaimJson> = {
  state: ({ state, how }) => (how === null ? state : `${state} (${how})`),
  'next step': (claim) => claim.next_step,
  nameservers: ({ nameservers }) => nameservers.join(', ') || '-',
  'TXT record': ({ challenge }) => (challenge === null ? '-' : `${challenge.name} "${challenge.data}"`),
  'servers asked': (claim) => claim.date_checked ?? '-',
  'deleted unless verified by': (claim) => claim.date_expires ?? '-',
};

const seenColumns: Columns<ClaimJson['seen'][number]> = {
  server: ({ server }) => server,
  address: ({ address }) => address ?? '-',
  'delegates to': ({ nameservers }) => nameservers?.join(', ') ?? '-',
  record: ({ challenge }) => (challenge === null ? '-' : challenge ? 'yes' : 'no'),
  problem: ({ problem }) => problem ?? '-',
};

/** A resolver, a registrar and a person take some minutes together. */
const DEFAULT_WAIT_SECONDS = 600;

type VerifyOptions = ConnectionOptions & {
  readonly wait?: boolean;
  readonly timeout: number;
  readonly account?: string;
};

/** `zonewright domain verify`: shows control of a domain, so that it is served. */
export function addClaimCommands(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('verify'))
    .description('look whether control of a domain was shown, and say how to show it; it is served then')
    .argument('<domain>', 'name of the domain')
    .option('--wait', 'look again until control was shown')
    .option('--timeout <seconds>', 'stop waiting after this time', parseWholeNumber, DEFAULT_WAIT_SECONDS)
    .option('--account <id>', 'vouch for this account, which controls the domain; needs an admin key')
    .examples(
      'zonewright domain verify example.com',
      'zonewright domain verify example.com --wait',
      'zonewright domain verify example.com --account 0199f6a0-0000-7000-8000-000000000001',
    )
    .action(async (domain: string, options: VerifyOptions) => {
      const { domains } = connect(options, terminal);
      const { account } = options;
      const claim =
        account === undefined
          ? await look(terminal, domains, domain, options)
          : await domains.verify(domain, account);
      show(terminal, claim, options);
      if (claim.state === 'unverified')
        throw new CommandFailure(
          options.wait === true ? exitCodes.timedOut : exitCodes.problems,
          `${domain} is not served: control of it was not shown`,
        );
    });
}

/** Says on stderr how to show control of a new domain. */
export async function showClaimStep(
  terminal: Terminal,
  domains: Pick<DomainsClient, 'claim'>,
  domain: string,
): Promise<void> {
  const { next_step: step } = await domains.claim(domain);
  say(terminal, `${domain} is not served yet. ${step}. Then: zonewright domain verify ${domain}`);
}

function look(
  terminal: Terminal,
  domains: Pick<DomainsClient, 'checkClaim' | 'waitForClaim'>,
  domain: string,
  { wait, timeout: timeoutSeconds }: VerifyOptions,
): Promise<ClaimJson> {
  if (wait !== true) return domains.checkClaim(domain);
  let said = '';
  return domains.waitForClaim(domain, {
    timeoutSeconds,
    onUnverified({ next_step: step }) {
      if (step !== said) say(terminal, `${domain} is not served yet. ${step}`);
      said = step;
    },
  });
}

function show(terminal: Terminal, claim: ClaimJson, options: ConnectionOptions): void {
  if (options.json === true) return printJson(terminal, claim);
  printOne(terminal, columns, claim, options);
  if (options.plain === true || claim.seen.length === 0) return;
  terminal.print('\n');
  printTable(terminal, seenColumns, claim.seen, options);
}
