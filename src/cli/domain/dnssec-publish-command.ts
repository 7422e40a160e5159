import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { parseTtl } from '../command-line/parse-ttl.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { normalDomain } from '../names/zone-names.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { complainOfWrite, describeCounts, NOTHING_TO_CHANGE } from '../plan/print-changes.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { findDsData } from '../signing/describe-signed-here.ts';
import { planParentDs } from '../signing/plan-parent-ds.ts';
import { printJson } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type PublishOptions = ConnectionOptions & ChangeOptions & { ttl: number; replace?: true };

/** An hour: resolvers keep a record for so long that has to be replaced after a mistake. */
const DEFAULT_TTL_SECONDS = 3600;

/** `zonewright domain dnssec publish`: the parent zone of a domain is another domain of the account. */
export function addDnssecPublishCommand(dnssec: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(dnssec.command('publish')))
    .description('write the DS records of a domain into the domain above it in your account; safe to repeat')
    .argument('<domain>', 'name of the signed domain')
    .option('--replace', 'delete all other DS records of the domain there')
    .option(
      '--ttl <time>',
      'time to live of new records, in seconds or as 1h30m',
      parseTtl,
      DEFAULT_TTL_SECONDS,
    )
    .examples(
      'zonewright domain dnssec publish shop.example.com',
      'zonewright domain dnssec publish shop.example.com --replace --dry-run',
    )
    .action(async (text: string, options: PublishOptions) => {
      const client = connect(options, terminal);
      const domain = normalDomain(text);
      const lines = await client.domains.dnssec(domain);
      const ds = findDsData(lines);
      if (ds.length === 0) {
        const state = lines.length === 0 ? 'is not signed' : 'is signed only until its DS record is gone';
        const sentence = `${domain} ${state}: zonewright domain dnssec on ${domain}`;
        throw new CommandFailure(exitCodes.refused, sentence);
      }
      await publish(client, terminal, domain, ds, options);
    });
}

async function publish(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  ds: readonly string[],
  { ttl, replace, ...options }: PublishOptions,
): Promise<void> {
  const { parent, name, ifMatch } = await findParentDomain(client, domain);
  await requireDelegation(client, parent, name, domain);
  const existing = await readSet(client, parent, name, 'DS');
  const changes = planParentDs(existing, { name, ds, ttl, isOnly: replace === true });
  if (changes === undefined) {
    const unchanged = { created: [], updated: [], deleted: [], unchanged: ds.length };
    if (options.json === true) printJson(terminal, { changes: unchanged });
    return say(terminal, NOTHING_TO_CHANGE);
  }
  const written = await writeOrShow(terminal, { ifMatch, ...options }, (write) =>
    client.records.change(parent, changes, { ...write, warnings: true }),
  );
  if (written === undefined) return;
  complainOfWrite(terminal, written);
  if (options.json === true) printJson(terminal, { changes: written.changes });
  else say(terminal, `${parent}: ${describeCounts(written.changes)}`);
}

interface ParentDomain {
  readonly parent: string;
  /** The name of the domain, relative to its parent. */
  readonly name: string;
  /** The revision before the records are read: a later change makes the write fail. */
  readonly ifMatch: string | undefined;
}

/** Finds the closest domain above. @throws CommandFailure if the account has none */
async function findParentDomain(client: ZonewrightClient, domain: string): Promise<ParentDomain> {
  const labels = domain.split('.');
  for (let removed = 1; removed < labels.length; removed++) {
    const parent = labels.slice(removed).join('.');
    const ifMatch = await findRevision(client, parent);
    if (ifMatch !== undefined) return { parent, name: labels.slice(0, removed).join('.'), ifMatch };
  }
  const sentence = `no domain above ${domain} is in your account: enter its DS record at the registrar (zonewright domain dnssec status ${domain})`;
  throw new CommandFailure(exitCodes.notFound, sentence);
}

async function findRevision({ domains }: ZonewrightClient, domain: string): Promise<string | undefined> {
  try {
    return await domains.revision(domain);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** A DS record has no effect without NS records beside it (RFC 4035 section 2.4). */
async function requireDelegation(
  client: ZonewrightClient,
  parent: string,
  name: string,
  domain: string,
): Promise<void> {
  if ((await readSet(client, parent, name, 'NS')).length > 0) return;
  const command = `zonewright record set ${parent} ${name} NS`;
  const sentence = `${parent} does not delegate ${domain}: create its NS records there first (${command} …), then repeat this`;
  throw new CommandFailure(exitCodes.refused, sentence);
}

async function readSet(
  client: ZonewrightClient,
  domain: string,
  name: string,
  type: string,
): Promise<readonly RecordJson[]> {
  const records: RecordJson[] = [];
  for await (const record of client.records.list(domain, { name, type })) records.push(record);
  return records;
}
