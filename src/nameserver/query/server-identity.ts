/** The CHAOS-class names that ask for a nameserver's identity (RFC 4892 section 2). */

import { rrType } from '../../dns/codes.ts';
import { parseDomainName } from '../../dns/name.ts';
import { suffixEquals } from '../../zone/name-scan.ts';
import type { Query } from './query.ts';

/** Returns true if a CHAOS query asks for the identity that NSID also reports. Our version is not disclosed. */
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
