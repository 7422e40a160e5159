import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { readNames } from '../input/read-names.ts';
import { DnsClient } from '../../dns-client/dns-client.ts';
import { parseServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { transferZone } from '../../dns-client/transfer-zone.ts';
import { findTsigKey } from '../connection/tsig-key.ts';
import { getZoneName, normalDomain } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { compareZones, type ZoneComparison } from './compare-zones.ts';
import {
  comparisonAsJson,
  exitCodeFor,
  printComparison,
  summarise,
  type DomainComparison,
} from './print-comparison.ts';
import { questionsFor, recordsOfService, type KnownRecord } from './zone-questions.ts';
import { printJson } from '../terminal/print-list.ts';

type VerifyOptions = ConnectionOptions & {
  readonly against: string;
  readonly server?: string;
  readonly names?: string;
  readonly axfr?: boolean;
  readonly tsig?: string;
  readonly ttl?: boolean;
  readonly strict?: boolean;
};

/** `zonewright verify`: proof that two nameservers answer alike. */
export function addVerifyCommand(program: Command, terminal: Terminal): void {
  addConnectionOptions(program.command('verify'))
    .description('compare what the nameservers here and elsewhere answer, name by name')
    .argument('<domain...>', 'domains that the service has')
    .requiredOption('--against <server>', 'the other nameserver: host or address, and :port')
    .option('--server <server>', "the nameserver here; else the first of the domain's own NS records")
    .option('--names <file>', 'more names to ask for, one a line, relative to the domain')
    .option('--axfr', 'take the names of the other side from a transfer, too')
    .option('--tsig <name:algorithm:file>', 'TSIG key for --axfr; else ZONEWRIGHT_TSIG=name:algorithm:secret')
    .option('--ttl', 'compare TTLs, too')
    .option('--strict', 'count the NS records of the domain itself and its SOA record, too')
    .addHelpText('after', '\nExit code 0: no differences; 9: some.')
    .examples(
      'zonewright verify example.com --against ns.old-provider.example',
      'zonewright verify example.com --against 192.0.2.53 --server 127.0.0.1:5300 --ttl',
      'zonewright verify example.com example.org --against ns.old-provider.example --axfr \\\n      --tsig transfer-key:hmac-sha256:tsig.secret',
    )
    .action((domains: string[], options: VerifyOptions) =>
      verify(domains.map(normalDomain), options, terminal),
    );
}

async function verify(domains: readonly string[], options: VerifyOptions, terminal: Terminal): Promise<void> {
  const client = connect(options, terminal);
  const against = serverFrom(options.against, '--against');
  const results: DomainComparison[] = [];
  for (const domain of domains) {
    const found = await verifyOne(client, domain, against, options, terminal).catch((error: unknown) => {
      return { failure: getFailure(error) };
    });
    const result = { domain, ...found };
    results.push(result);
    if (options.json !== true) printComparison(terminal, result, options);
  }
  if (options.json === true) printJson(terminal, { domains: results.map(comparisonAsJson) });
  const exitCode = exitCodeFor(results);
  if (exitCode !== exitCodes.done) throw new CommandFailure(exitCode, summarise(results));
}

async function verifyOne(
  client: ZonewrightClient,
  domain: string,
  against: ServerAddress,
  options: VerifyOptions,
  { environment }: Terminal,
): Promise<ZoneComparison> {
  const zone = getZoneName(domain);
  const listed: RecordJson[] = [];
  for await (const record of client.records.list(domain)) listed.push(record);
  const transferred =
    options.axfr === true
      ? await transferZone(against, zone, { key: findTsigKey(options.tsig, environment) })
      : [];
  const records: readonly KnownRecord[] = [...recordsOfService(zone, listed), ...transferred];
  const names = options.names === undefined ? [] : readNames(options.names);
  const questions = questionsFor(zone, records, names);
  const [hasTtl, isStrict] = [options.ttl === true, options.strict === true];
  return withClients(serverHere(options, domain, listed), against, (here, there) =>
    compareZones({ here, there }, zone, questions, { hasTtl, isStrict }),
  );
}

async function withClients<T>(
  here: ServerAddress,
  there: ServerAddress,
  use: (here: DnsClient, there: DnsClient) => Promise<T>,
): Promise<T> {
  const ours = await DnsClient.open(here);
  try {
    const theirs = await DnsClient.open(there);
    try {
      return await use(ours, theirs);
    } finally {
      theirs.close();
    }
  } finally {
    ours.close();
  }
}

function serverHere(
  { server }: VerifyOptions,
  domain: string,
  records: readonly RecordJson[],
): ServerAddress {
  if (server !== undefined) return serverFrom(server, '--server');
  const own = records.find(({ name, type }) => type === 'NS' && name === '');
  if (own !== undefined) return serverFrom(own.data.replace(/\.$/, ''), 'the NS record');
  throw new CommandFailure(
    exitCodes.usage,
    `${domain} has no NS records that say where it is served: give --server`,
  );
}

function serverFrom(text: string, option: string): ServerAddress {
  const server = parseServerAddress(text);
  if (server.ok) return server.value;
  throw new CommandFailure(exitCodes.usage, `${option}: ${server.problem}`);
}
