import { runConcurrently } from '../base/run-concurrently.ts';
import type { Message } from '../dns/message.ts';
import type { DomainName } from '../dns/name.ts';
import { askServer, type Ask } from './ask-resolvers.ts';
import { QUESTIONS_AT_ONCE, type DnsClientOptions } from './dns-client.ts';
import { DnsFailure } from './dns-failure.ts';
import type { ServerProblem, ZoneServer } from './find-nameservers.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { formatServerAddress } from './server-address.ts';

/** The answer of one address of a nameserver, or the reason why there is none. */
export type ServerAnswer<T> = {
  /** Lower case, without the final dot. */
  readonly name: string;
  /** Undefined for a nameserver that could not be asked; with the port, if it is not 53. */
  readonly address: string | undefined;
} & (T | { readonly problem: ServerProblem });

interface ServerQuestion<T> {
  readonly name: DomainName;
  readonly type: number;
  /** Reads an answer with the code NOERROR or NXDOMAIN. @throws DnsFailure if it cannot be used */
  readonly read: (message: Message) => T;
}

/**
 * Asks all servers the same question and returns the answers in the order of the servers. A failure of one server is its
 * answer. An aborted signal is one as well if its reason is a DnsFailure: the answers that have come are kept.
 *
 * @throws the reason of an aborted signal that is no DnsFailure
 */
export async function askEachServer<T>(
  servers: readonly ZoneServer[],
  question: ServerQuestion<T>,
  lookup: ParentLookup,
): Promise<readonly ServerAnswer<T>[]> {
  const { name, type, read } = question;
  return visitEachServer(servers, async (ask) => read(await ask(name, type)), lookup);
}

/**
 * As `askEachServer`, with several questions to each server. The first one without an answer ends the visit.
 *
 * @param visit asks one after the other
 */
export async function visitEachServer<T>(
  servers: readonly ZoneServer[],
  visit: (ask: Ask) => Promise<T>,
  lookup: DnsClientOptions,
): Promise<readonly ServerAnswer<T>[]> {
  return runConcurrently(servers, QUESTIONS_AT_ONCE, (server) => visitOne(server, visit, lookup));
}

async function visitOne<T>(
  server: ZoneServer,
  visit: (ask: Ask) => Promise<T>,
  lookup: DnsClientOptions,
): Promise<ServerAnswer<T>> {
  const { name, address: place } = server;
  if (place === undefined) return { name, address: undefined, problem: server.problem };
  const address = formatServerAddress(place);
  try {
    const answer = await visit((owner, type) => askServer(place, owner, type, lookup));
    return { name, address, ...answer };
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return { name, address, problem: { kind: error.kind, message: error.message } };
  }
}
