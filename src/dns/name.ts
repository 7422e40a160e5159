import { malformed, type Parsed } from '../base/parsed.ts';

declare const domainName: unique symbol;

/** A domain name in uncompressed wire form (RFC 1035 section 3.1), at most 255 octets, case as given. */
export type DomainName = Uint8Array & { readonly [domainName]: true };

export function parseDomainName(_text: string, _origin?: DomainName): Parsed<DomainName> {
  return malformed('not yet');
}
