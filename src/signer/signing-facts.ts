import type { DomainName } from '../dns/name.ts';
import type { NamedKey } from './match-ds.ts';
import type { ParentLook } from './parent-looks.ts';

/** Everything that says how a domain is signed. */
export interface SigningFacts {
  /** As people write it: lower case, without the final dot. */
  readonly domain: string;
  /** The same name, in lower case. */
  readonly name: DomainName;
  readonly isSigned: boolean;
  /** Empty if the domain was never signed. */
  readonly keys: readonly NamedKey[];
  readonly look: ParentLook;
  /** The parent zone, if the same account has it here. */
  readonly hosted: HostedParent | undefined;
}

export interface HostedParent {
  readonly domain: string;
  /** The DS records of the domain that it has now, in presentation format. */
  readonly ds: readonly string[];
  /** Whether it has NS records of the domain, without which no DS record is possible. */
  readonly isDelegated: boolean;
}

/**
 * - `unsigned`: neither signed here nor expected to be, as far as known.
 * - `waiting_for_ds`: signed; at least one server of the parent zone has no DS record yet.
 * - `secure`: signed, and all servers that answered have a DS record of one of its keys.
 * - `bogus`: validating resolvers reject the domain, at some servers of the parent zone at least.
 * - `signed`: signed; the DS records of the parent zone are not known.
 */
export type SigningState = 'unsigned' | 'waiting_for_ds' | 'secure' | 'bogus' | 'signed';
