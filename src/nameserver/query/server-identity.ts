/** The names in class CHAOS by which a nameserver is asked who it is (RFC 4892 section 2). */

import { rrType } from '../../dns/codes.ts';
import { parseDomainName } from '../../dns/name.ts';
import { suffixEquals } from '../../zone/name-scan.ts';
import type { Query } from './query.ts';

/** Whether a query of class CHAOS asks for what NSID would tell, too. Our version is nobody's business. */
export function asksForIdentity({ name, type }: Query): boolean {
  return (
    type === rrType.TXT &&
    identityNames.some((identity) => suffixEquals(name, 0, identity, 0, identity.length))
  );
}

const identityNames: readonly Uint8Array[] = ['id.server.', 'hostname.bind.'].flatMap((text) => {
  const name = parseDomainName(text);
  return name.ok ? [name.value] : [];
});
