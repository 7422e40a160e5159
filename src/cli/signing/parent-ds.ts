import { DnsClient } from '../../dns-client/dns-client.ts';
import { DnsFailure } from '../../dns-client/dns-failure.ts';
import {
  formatServerAddress,
  parseServerAddress,
  type ServerAddress,
} from '../../dns-client/server-address.ts';
import { findSystemResolver } from '../../dns-client/system-resolver.ts';
import { rrType } from '../../dns/codes.ts';
import type { Message } from '../../dns/message.ts';
import { equalDomainNames, isSubdomain, type DomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getZoneName } from '../names/zone-names.ts';
import { findVariable } from '../terminal/environment.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ResolverOptions } from './resolver-option.ts';

/** The DS records that a zone has at its parent, as a resolver sees them. */
export type ParentDs =
  | { readonly state: 'present'; readonly records: readonly string[] }
  | { readonly state: 'absent' }
  | {
      readonly state: 'unknown';
      readonly reason: string;
      /** No answer came at all. */
      readonly isSilent?: true;
    };

/** Returns undefined if nobody is to be asked. */
export type AskParent = (domain: string) => Promise<ParentDs | undefined>;

/** A resolver that has the answer nowhere in its cache asks a few servers; most answer within a second. */
const DEADLINE_MS = 3000;

/**
 * A resolver that did not answer once is not asked again, so that a command without a network does not wait for each of
 * its domains.
 */
export function createAskParent({ resolver }: ResolverOptions, { environment }: Terminal): AskParent {
  const given = resolver ?? findVariable(environment, RESOLVER_VARIABLE);
  if (given === 'none') return () => Promise.resolve(undefined);
  const source = resolver === undefined ? RESOLVER_VARIABLE : '--resolver';
  const server = readResolver(given ?? findSystemResolver() ?? '127.0.0.1', source);
  let silence: ParentDs | undefined;
  return async (domain) => {
    const found = silence ?? (await askParent(server, domain));
    if (found.state === 'unknown' && found.isSilent === true) silence = found;
    return found;
  };
}

const RESOLVER_VARIABLE = 'ZONEWRIGHT_RESOLVER';

function readResolver(text: string, source: string): ServerAddress {
  const server = parseServerAddress(text);
  if (server.ok) return server.value;
  throw new CommandFailure(exitCodes.usage, `${source}: ${server.problem}`);
}

async function askParent(server: ServerAddress, domain: string): Promise<ParentDs> {
  const shown = formatServerAddress(server);
  let timer: NodeJS.Timeout | undefined;
  let client: DnsClient | undefined;
  try {
    client = await DnsClient.open(server, { recursionDesired: true });
    const zone = getZoneName(domain);
    const answer = client.ask(zone, rrType.DS);
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new DnsFailure('timeout', `${shown} did not answer`));
      }, DEADLINE_MS);
    });
    return readAnswer(await Promise.race([answer, deadline]), zone, shown);
  } catch (error) {
    const reason = error instanceof DnsFailure ? error.message : `${shown} cannot be reached`;
    return { state: 'unknown', reason, isSilent: true };
  } finally {
    clearTimeout(timer);
    client?.close();
  }
}

/**
 * Only the parent knows that there is no DS record. Its negative answer has its own SOA record (RFC 2308 section 2); a
 * nameserver of the zone itself answers with the zone's (RFC 4035 section 3.1.4.1), which says nothing.
 */
function readAnswer({ answers, authorities }: Message, zone: DomainName, server: string): ParentDs {
  const found = answers.filter(({ type, owner }) => type === rrType.DS && equalDomainNames(owner, zone));
  if (found.length > 0) {
    return { state: 'present', records: found.map(({ type, rdata }) => formatRdata(type, rdata)) };
  }
  const isFromParent = authorities.some(
    ({ type, owner }) => type === rrType.SOA && owner.length < zone.length && isSubdomain(zone, owner),
  );
  if (isFromParent) return { state: 'absent' };
  return { state: 'unknown', reason: `the answer of ${server} does not come from the parent zone` };
}
