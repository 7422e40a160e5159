import { assert } from '../base/assert.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { parseDomainName } from '../dns/name.ts';
import { parseHostName } from './host-name.ts';
import { mailboxName, parseMailbox } from './mailbox.ts';
import { refused, success, type Result } from './result.ts';
import type { ZoneHead } from './zone-update.ts';

/**
 * The SOA record of a domain (contract rule 31, RFC 1035 section 3.3.13): made of what the owner set, else of the
 * service's defaults. Never stored as a record.
 */
export interface Soa {
  /** Without trailing dot. */
  readonly primary: string;
  readonly email: string;
  /** Uncompressed wire form. */
  readonly rdata: Uint8Array;
}

/** What the operator configured. */
export interface SoaDefaults {
  /** Host names of the service's nameservers, at least one. */
  readonly nameservers: readonly string[];
  /** The operator's mail address. */
  readonly mailbox: string;
}

export function soaOf(
  head: Pick<ZoneHead, 'name' | 'serial' | 'soaPrimary' | 'soaEmail'>,
  defaults: SoaDefaults,
): Soa {
  const primary = head.soaPrimary ?? defaults.nameservers.at(0) ?? head.name;
  const primaryName = parseDomainName(primary);
  assert(primaryName.ok, 'a nameserver is a host name');
  const wanted = head.soaEmail ?? `hostmaster@${head.name}`;
  const email = mailboxName(wanted) === undefined ? defaults.mailbox : wanted;
  const mailbox = mailboxName(email);
  assert(mailbox !== undefined, "the operator's mailbox fits into a name");
  const rdata = new ByteWriter();
  rdata.bytes(primaryName.value);
  rdata.bytes(mailbox);
  for (const field of [head.serial, SOA_REFRESH_SECONDS, SOA_RETRY_SECONDS, SOA_EXPIRE_SECONDS])
    rdata.u32(field);
  rdata.u32(SOA_MINIMUM_SECONDS);
  return { primary, email, rdata: rdata.finish() };
}

/** How often a secondary asks when no NOTIFY reached it: the longest a lost NOTIFY leaves it behind. */
export const SOA_REFRESH_SECONDS = 3600;
/** A sixth of refresh: a primary that was away for a moment is asked again soon, and not hammered. */
export const SOA_RETRY_SECONDS = 600;
/** Two weeks, the lower end of RFC 1912 section 2.2: a secondary outlives a long outage of its primary. */
export const SOA_EXPIRE_SECONDS = 1_209_600;
/**
 * How long resolvers keep an NXDOMAIN (RFC 2308 section 4). Five minutes: names are often asked for just before they are
 * created (ACME challenges), and longer would delay them all over the world.
 */
export const SOA_MINIMUM_SECONDS = 300;

/** Of the record itself. An hour: secondaries use the refresh timer, and resolvers rarely ask for SOA by itself. */
export const SOA_TTL_SECONDS = 3600;

/** What a PATCH of the SOA may carry; null is as good as absent. */
export interface SoaInput {
  readonly nsprimary?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** As the command `updateDomain` takes them: what was not given is absent. */
export interface SoaFields {
  readonly soaPrimary?: string;
  readonly soaEmail?: string;
}

/** SOA fields as customers write them → as they are stored. Refusals are `invalid_request` and name the member. */
export function parseSoaFields(input: SoaInput): Result<SoaFields> {
  const primary = typeof input.nsprimary === 'string' ? parseHostName(input.nsprimary) : undefined;
  if (primary?.ok === false) return refused('invalid_request', primary.problem, 'nsprimary');
  const email = typeof input.email === 'string' ? parseMailbox(input.email) : undefined;
  if (email?.ok === false) return refused('invalid_request', email.problem, 'email');
  return success({
    ...(primary && { soaPrimary: primary.value }),
    ...(email && { soaEmail: email.value }),
  });
}
