import type { ServerAddress } from './server-address.ts';

/**
 * How to look at parent zones, and at the nameservers of domains.
 *
 * A customer decides which domain is looked at and which nameservers it has, can own the parent zone too, and so decides
 * which addresses are asked. Without care, a process that looks would send packets to any place that a customer names.
 * Therefore:
 *
 * - Addresses that are not public are never asked, unless `privateServers` names them. That covers the loopback and private
 *   addresses of this machine, the operator's networks and the metadata services of clouds. The address that was checked is
 *   the one that is asked; its name is not resolved a second time.
 * - Questions go to port 53 only, except to `privateServers`, whose ports the operator wrote down. Notifications go to the port
 *   that the parent zone names, if it is 53 or at least 1024; see `notifyParent`.
 * - Such an address is not shown either, nor whether it exists: a resolver can know names of the operator's network.
 * - Only a DS, NS, SOA, DNSKEY, CDS or CDNSKEY question for a name of the customer is sent, or a TXT question for a name
 *   below it that the service chooses, with a random id, and nothing of the answer is shown but DS records, TTLs, which of the
 *   keys that the customer has here are in it, the serial, the names of nameservers in a referral and their glue inside the
 *   domain, whether a TXT record is the expected one, and one of a few sentences.
 * - The numbers of nameservers and addresses are limited, and servers are only asked, never followed elsewhere: one
 *   look-up cannot become a flood.
 *
 * A public address that only the operator reaches, behind a firewall by address, is not recognised: such networks filter
 * outgoing packets to port 53, or give the service resolvers and firewall rules of its own.
 */
export interface ParentLookup {
  /** Addresses that know all zones, at least one. The operator chooses them; they can be private. */
  readonly resolvers: readonly ServerAddress[];
  /**
   * Nameservers at addresses that are not public and may be asked all the same, in canonical form: those of an internal
   * parent zone or of internal domains. Each is asked on its own port.
   */
  readonly privateServers: readonly ServerAddress[];
  /** Longest wait for one answer; a server that says nothing takes four times as long, see `DnsClient`. */
  readonly timeoutMs?: number;
  /** Ends the look-up with its reason. */
  readonly signal?: AbortSignal | undefined;
}
