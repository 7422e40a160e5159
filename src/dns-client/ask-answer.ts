import type { Message } from '../dns/message.ts';
import type { DomainName } from '../dns/name.ts';
import { DnsClient, type DnsClientOptions } from './dns-client.ts';
import { DnsFailure } from './dns-failure.ts';
import type { ServerAddress } from './server-address.ts';

/** The answer of a server with whatever code, or a sentence that says why there is none. */
export type AskedAnswer = Message | { readonly problem: string };

/** Asks one server one question, over UDP and then over TCP. Rejects only with the reason of an aborted signal that is no DnsFailure. */
export async function askAnswer(
  server: ServerAddress,
  name: DomainName,
  type: number,
  options: DnsClientOptions,
): Promise<AskedAnswer> {
  try {
    const client = await DnsClient.open(server, options);
    try {
      return await client.askAny(name, type);
    } finally {
      client.close();
    }
  } catch (error) {
    if (error instanceof DnsFailure) return { problem: error.message };
    throw error;
  }
}
