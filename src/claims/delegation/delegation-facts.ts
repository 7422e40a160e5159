import type { GlueAddress } from '../../dns-client/ask-delegation.ts';
import type { DomainName } from '../../dns/name.ts';
import type { NamedKey } from '../../signer/match-ds.ts';
import type { DelegationLook } from './delegation-looks.ts';

/** The delegation of a domain as it has to be, and as the servers of the parent zone show it. */
export interface DelegationFacts {
  /** As people write it: lower case, without the final dot. */
  readonly domain: string;
  /** The same name, in lower case. */
  readonly name: DomainName;
  /** A nameserver here answers for it. */
  readonly isServed: boolean;
  readonly expected: ExpectedDelegation;
  readonly look: DelegationLook;
}

export interface ExpectedDelegation {
  /** Host names in lower case, without the final dot, sorted. */
  readonly nameservers: readonly string[];
  /** The addresses of those of them that are inside the domain. */
  readonly glue: readonly GlueAddress[];
  /** The keys of which the parent zone has to have DS records. */
  readonly announced: readonly NamedKey[];
  /** All keys of the domain: during a rollover or withdrawal, the parent zone can have DS records of more than those. */
  readonly keys: readonly NamedKey[];
  /** The signatures of the domain are being made or removed, so that DS records are not to be changed. */
  readonly isInWork: boolean;
}

/**
 * - `delegated`: all servers of the parent zone that answered name exactly the expected nameservers.
 * - `partly`: they name some of them, or others as well, or do not agree.
 * - `elsewhere`: they name only others.
 * - `not_delegated`: they name none.
 * - `no_parent_answer`: no server gave a usable answer, or none was asked.
 */
export type DelegationState = 'delegated' | 'partly' | 'elsewhere' | 'not_delegated' | 'no_parent_answer';

export interface DelegationProblem {
  readonly code: DelegationProblemCode;
  /** A sentence without a full stop. */
  readonly message: string;
  /** The servers of the parent zone at which it was seen. */
  readonly servers: readonly string[];
}

export type DelegationProblemCode =
  | 'parent_unknown'
  | 'server_without_answer'
  | 'domain_withheld'
  | 'nameserver_placeholder'
  | 'nameserver_missing'
  | 'nameserver_unexpected'
  | 'glue_missing'
  | 'glue_unexpected'
  | 'ds_missing'
  | 'ds_unexpected'
  | 'ds_unknown';
