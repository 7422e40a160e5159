import type { RecordJson } from '../../contract/response-shapes.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from '../plan/confirm.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { countOf } from '../terminal/count-of.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import { beside, say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions &
  ConfirmOptions & { all?: boolean; domain?: string[]; replacing?: string; note?: string };

/** Nameservers seldom change, and the NS records in the parent zone have longer TTLs anyway. */
const NAMESERVER_TTL_SECONDS = 3600;

/** The change of one domain. */
interface Plan {
  readonly domain: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly revision: string | undefined;
  readonly deletes: readonly string[];
  readonly creates: readonly string[];
}

const columns: Columns<Plan> = {
  domain: ({ domain }) => domain,
  before: ({ before }) => before.join(' '),
  after: ({ after }) => after.join(' '),
};

/** `zonewright domain nameservers set`: the NS records of one, some or all domains of the account. */
export function addNameserverCommands(group: Command, terminal: Terminal): void {
  const nameservers = group.command('nameservers').description('the nameservers of domains');
  addDryRunOption(addConfirmOption(addConnectionOptions(nameservers.command('set'))))
    .description('replace the NS records of domains themselves; shows the plan and asks')
    .argument('<nameservers...>', 'host names of the nameservers')
    .option('--all', 'all domains of your account')
    .option('--domain <name...>', 'only these domains')
    .option('--replacing <nameserver>', 'only domains that have this nameserver now')
    .option('--note <text>', 'reason, kept in the history')
    .examples(
      'zonewright domain nameservers set ns1.example.net ns2.example.net --all --replacing ns1.zonewright.invalid',
      'zonewright domain nameservers set ns1.example.net ns2.example.net --domain example.com',
    )
    .action(async (hosts: string[], options: Options) => setNameservers(terminal, hosts, options));
}

async function setNameservers(terminal: Terminal, hosts: readonly string[], options: Options): Promise<void> {
  if ((options.all === true) === (options.domain !== undefined))
    throw new CommandFailure(exitCodes.usage, 'give either --all or --domain');
  checkAnswerable(options, terminal);
  const client = connect(options, terminal);
  const wanted = [...new Set(hosts.map(hostOf))];
  const plans: Plan[] = [];
  for await (const domain of domainsOf(client, options)) {
    const plan = await planDomain(client, domain, wanted, options.replacing);
    if (plan !== undefined) plans.push(plan);
  }
  const isDry = options.dryRun === true;
  await printList(isDry ? terminal : beside(terminal), columns, plans, options);
  const count = countOf(plans.length, 'domain');
  if (plans.length === 0 || isDry)
    return say(terminal, plans.length === 0 ? 'nothing to change' : `dry run, nothing was changed: ${count}`);
  if (options.yes !== true && !(await isConfirmed(terminal, `Change the nameservers of ${count}?`)))
    return say(terminal, 'nothing was changed');
  for (const plan of plans) await apply(client, plan, options.note);
  say(terminal, `changed the nameservers of ${count}`);
}

async function* domainsOf(client: ZonewrightClient, { domain }: Options): AsyncGenerator<string> {
  if (domain !== undefined) return yield* domain;
  for await (const row of client.domains.list()) yield row.domain;
}

/** Returns undefined if the domain has these nameservers, or not the one that is replaced. */
async function planDomain(
  client: ZonewrightClient,
  domain: string,
  after: readonly string[],
  replacing: string | undefined,
): Promise<Plan | undefined> {
  const revision = await client.domains.revision(domain);
  const existing: RecordJson[] = [];
  for await (const record of client.records.list(domain, { type: 'NS', name: '@' })) existing.push(record);
  const before = existing.map(({ data }) => hostOf(data));
  if (replacing !== undefined && !before.includes(hostOf(replacing))) return undefined;
  const deletes = existing.filter(({ data }) => !after.includes(hostOf(data))).map(({ id }) => id);
  const creates = after.filter((host) => !before.includes(host));
  if (deletes.length + creates.length === 0) return undefined;
  return { domain, before, after, revision, deletes, creates };
}

/** Refused if the domain has changed since it was shown. */
async function apply(
  client: ZonewrightClient,
  { domain, revision, deletes, creates }: Plan,
  note: string | undefined,
): Promise<void> {
  const create = creates.map((host) => ({
    type: 'NS',
    name: '@',
    data: `${host}.`,
    ttl: NAMESERVER_TTL_SECONDS,
  }));
  await client.records.change(domain, { delete: deletes, create }, { ifMatch: revision, note });
}

function hostOf(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}
