import type { Message } from '../dns/message.ts';
import type { DomainName } from '../dns/name.ts';
import { DnsClient, type DnsClientOptions } from './dns-client.ts';
import { DnsFailure } from './dns-failure.ts';
import type { ServerAddress } from './server-address.ts';

/** Returns the NOERROR or NXDOMAIN answer. @throws DnsFailure for every other outcome; the reason of an aborted signal */
export type Ask = (name: DomainName, type: number) => Promise<Message>;

/**
 * Asks one server one question, from a socket of its own: an attacker who forges answers has to guess a new port for each
 * question (RFC 5452 section 9.2).
 *
 * @throws DnsFailure unless the answer is NOERROR or NXDOMAIN
 */
export async function askServer(
  server: ServerAddress,
  name: DomainName,
  type: number,
  options: DnsClientOptions,
): Promise<Message> {
  const client = await DnsClient.open(server, options);
  try {
    return await client.ask(name, type);
  } finally {
    client.close();
  }
}

/**
 * Asks the resolvers in order until one answers. One that failed is asked last from then on, so that a series of
 * questions waits for it only once.
 *
 * @param resolvers at least one
 */
export function createAskResolvers(
  resolvers: readonly ServerAddress[],
  options: Omit<DnsClientOptions, 'recursionDesired'> = {},
): Ask {
  let order = resolvers;
  return async (name, type) => {
    const failures: DnsFailure[] = [];
    for (const resolver of order) {
      try {
        return await askServer(resolver, name, type, { ...options, recursionDesired: true });
      } catch (error) {
        if (!(error instanceof DnsFailure)) throw error;
        failures.push(error);
        order = [...order.filter((other) => other !== resolver), resolver];
      }
    }
    const answered = failures.find(({ kind }) => kind !== 'timeout' && kind !== 'unreachable');
    throw answered ?? failures.at(0) ?? new DnsFailure('unreachable', 'there is no resolver to ask');
  };
}
