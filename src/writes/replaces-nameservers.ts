import { rrType } from '../dns/codes.ts';
import { hostOf } from '../model/host-of.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord } from '../model/record.ts';

type Placed = Pick<DomainRecord, 'owner' | 'type' | 'data'>;

/**
 * Returns whether records that are imported with mode `replace` bring nameservers of their own: one of their apex NS records
 * is one of the service's, or is in the domain already. Those of another provider are not, which do not serve the domain.
 *
 * @param service host names without a final dot, in lower case
 */
export function replacesNameservers(
  sent: readonly Placed[],
  existing: readonly Placed[],
  service: readonly string[],
): boolean {
  const hosts = sent.filter(isApexNs).map(hostOf);
  if (hosts.length === 0) return false;
  const known = new Set([...service, ...existing.filter(isApexNs).map(hostOf)]);
  return hosts.some((host) => known.has(host));
}

export function isApexNs({ owner, type }: Pick<Placed, 'owner' | 'type'>): boolean {
  return owner === APEX && type === rrType.NS;
}
