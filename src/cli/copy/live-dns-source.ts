import { rrType } from '../../dns/codes.ts';
import type { MessageRecord } from '../../dns/message.ts';
import type { DomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import { formatZoneFile } from '../../dns/zone-file/format-zone-file.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { askName, askRrset, randomLabel } from '../../dns-client/ask-rrset.ts';
import { DnsClient, QUESTIONS_AT_ONCE } from '../../dns-client/dns-client.ts';
import { knownNames, typesToAsk } from '../names/known-names.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import { formatServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { getZoneName, parseOwner } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { CopySource, LoadedZone } from './copy-source.ts';

/**
 * A nameserver or resolver, queried for the names that zones usually have, names from a file, and wildcards. A last
 * resort: names that are not queried are not copied.
 */
export function liveDnsSource(
  server: ServerAddress,
  domains: readonly string[],
  moreNames: readonly string[],
): CopySource {
  const names = [...new Set([...knownNames, ...moreNames])];
  return {
    description: `live DNS at ${formatServerAddress(server)}`,
    caution:
      `live DNS cannot list the names of a zone: ${names.length} common names are queried; add more ` +
      'with --names <file>. TTLs from a resolver are lower than the original ones',
    list: () =>
      Promise.resolve(domains.map((domain) => ({ domain, load: () => loadZone(server, domain, names) }))),
  };
}

async function loadZone(
  server: ServerAddress,
  domain: string,
  names: readonly string[],
): Promise<LoadedZone> {
  const zone = getZoneName(domain);
  const client = await DnsClient.open(server, { recursionDesired: true });
  try {
    const soa = await askRrset(client, zone, rrType.SOA);
    if (soa.records.length === 0) {
      throw new CommandFailure(exitCodes.notFound, `${formatServerAddress(server)} has no zone ${domain}`);
    }
    // The service skips the keys; they show that the zone is signed.
    const keys = await askRrset(client, zone, rrType.DNSKEY);
    const records = await askAll(client, zone, names);
    return {
      text: [...formatZoneFile(zone, [], [...soa.records, ...keys.records, ...records])].join(''),
      skipped: [],
      notes: [],
    };
  } finally {
    client.close();
  }
}

async function askAll(
  client: DnsClient,
  zone: DomainName,
  names: readonly string[],
): Promise<readonly MessageRecord[]> {
  const wildcard = await recordsAt(client, zone, randomLabel(), allTypes);
  const found = await runConcurrently(names, NAMES_AT_ONCE, async (name) => {
    const types = typesToAsk(name);
    const records = await recordsAt(client, zone, name, types);
    // Answers that only repeat the wildcard are copied once, as the wildcard itself.
    const isOwn =
      name === '@' || contentOf(records) !== contentOf(wildcard.filter(({ type }) => types.includes(type)));
    return isOwn ? records : [];
  });
  const asked = wildcard.length === 0 ? [] : await recordsAt(client, zone, '*', allTypes);
  return [...found.flat(), ...asked];
}

const allTypes: readonly number[] = [...new Set([...typesToAsk('www'), ...typesToAsk('_tcp')])];

/** Each name takes about eight questions. */
const NAMES_AT_ONCE = QUESTIONS_AT_ONCE / 8;

async function recordsAt(
  client: DnsClient,
  zone: DomainName,
  name: string,
  types: readonly number[],
): Promise<readonly MessageRecord[]> {
  const owner = parseOwner(name, zone);
  if (!owner.ok) return [];
  const answers = await askName(client, owner.value, types);
  return answers.flatMap(({ records }) => records);
}

function contentOf(records: readonly MessageRecord[]): string {
  return records
    .map(({ type, rdata }) => `${type} ${formatRdata(type, rdata)}`)
    .sort()
    .join('\n');
}
