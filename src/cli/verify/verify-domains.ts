import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { connect, type ConnectionOptions } from '../connection/connection.ts';
import { readNames } from '../input/read-names.ts';
import { DnsClient } from '../../dns-client/dns-client.ts';
import { parseServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { transferZone } from '../../dns-client/transfer-zone.ts';
import { findTsigKey } from '../connection/tsig-key.ts';
import { getZoneName, normalDomain } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import { describeParentOnly, describeSignedSource } from '../signing/describe-signing.ts';
import { createAskParent, type AskParent } from '../signing/parent-ds.ts';
import type { ParentView } from '../signing/parent-view.ts';
import type { ResolverOptions } from '../signing/resolver-option.ts';
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

export type VerifyOptions = ConnectionOptions &
  ResolverOptions & {
    readonly against: string;
    readonly server?: string;
    readonly names?: string;
    readonly axfr?: boolean;
    readonly tsig?: string;
    readonly ttl?: boolean;
    readonly strict?: boolean;
  };

/**
 * Compares each domain on both sides and prints the differences.
 *
 * @param names domains, as the user wrote them
 * @throws CommandFailure if a domain differs or could not be compared completely
 */
export async function verifyDomains(
  names: readonly string[],
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options, terminal);
  const against = serverFrom(options.against, '--against');
  const askParent = createAskParent(options, terminal);
  const results: DomainComparison[] = [];
  for (const domain of names.map(normalDomain)) {
    const found = await verifyOne(client, domain, against, options, terminal).catch((error: unknown) => {
      return { failure: getFailure(error) };
    });
    const result = { domain, ...found, ...(await lookAtSigning(domain, found, askParent)) };
    results.push(result);
    if (options.json !== true) printComparison(terminal, result, options);
  }
  if (options.json === true) printJson(terminal, { domains: results.map(comparisonAsJson) });
  const exitCode = exitCodeFor(results);
  if (exitCode !== exitCodes.done) throw new CommandFailure(exitCode, summarise(results));
}

/** The parent zone does not matter to a domain that could not be compared, or that is known to be signed here. */
async function lookAtSigning(
  domain: string,
  found: ZoneComparison | { readonly failure: CommandFailure },
  askParent: AskParent,
): Promise<{ readonly signing: string | undefined; readonly parent: ParentView | undefined }> {
  if ('failure' in found || found.isSignedHere === true) return { signing: undefined, parent: undefined };
  const parent = await askParent(domain, true);
  const { isSignedThere, keyTtlThere } = found;
  if (isSignedThere === true) return { signing: describeSignedSource(domain, parent, keyTtlThere), parent };
  const signing = describeParentOnly(domain, parent) ?? (isSignedThere === undefined ? UNKNOWN : undefined);
  return { signing, parent };
}

const UNKNOWN =
  'it is not known whether the zone is signed there: the other side did not answer the question for its keys';

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
    `${domain} has no NS records of its own that name its nameserver: use --server`,
  );
}

function serverFrom(text: string, option: string): ServerAddress {
  const server = parseServerAddress(text);
  if (server.ok) return server.value;
  throw new CommandFailure(exitCodes.usage, `${option}: ${server.problem}`);
}
