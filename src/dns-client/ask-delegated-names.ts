import { rrType } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import type { DomainName } from '../dns/name.ts';
import { showName } from '../dns/show-name.ts';
import { askEachServer } from './ask-each-server.ts';
import { DnsFailure } from './dns-failure.ts';
import { findParent } from './find-parent.ts';
import { MAX_LISTED } from './listed-texts.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { readReferral } from './read-referral.ts';

/**
 * Asks every server of the parent zone for the nameservers of a domain. Returns all that any server names, in lower case, but
 * no more than `MAX_LISTED`; none if nobody tells.
 *
 * @throws the reason of an aborted signal, unless it is a DnsFailure
 */
export async function askDelegatedNames(
  domain: DomainName,
  lookup: ParentLookup,
): Promise<readonly DomainName[]> {
  const names = new Map<string, DomainName>();
  try {
    const { zone, servers } = await findParent(domain, lookup);
    const read = (message: Message): object => {
      for (const host of readReferral(message, domain, zone)) {
        if (names.size < MAX_LISTED) names.set(showName(host), host);
      }
      return {};
    };
    await askEachServer(servers, { name: domain, type: rrType.NS, read }, lookup);
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
  }
  return [...names.values()];
}
