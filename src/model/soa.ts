import { assert } from '../base/assert.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { parseDomainName } from '../dns/name.ts';
import { parseHostName } from './host-name.ts';
import { mailboxName, parseMailbox } from './mailbox.ts';
import { refused, success, type Result } from './result.ts';
import type { ZoneHead } from './zone-update.ts';

/**
 * The SOA record of a domain (contract rule 31, RFC 1035 section 3.3.13), made of the domain's own SOA fields or of the
 * service's defaults. Never stored as a record.
 */
export interface Soa {
  /** Without trailing dot. */
  readonly primary: string;
  readonly email: string;
  /** Uncompressed wire form. */
  readonly rdata: Uint8Array;
}

/** The operator's settings. */
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
  for (const field of [head.serial, ...soaTimes()]) rdata.u32(field);
  return { primary, email, rdata: rdata.finish() };
}

/** The interval at which a secondary asks if no NOTIFY reaches it; a lost NOTIFY delays it no longer than that. */
const SOA_REFRESH_SECONDS = 3600;
/** A sixth of the refresh interval: a primary that was briefly unavailable is asked again soon, but not too often. */
const SOA_RETRY_SECONDS = 600;
/** Two weeks, the lower end of RFC 1912 section 2.2: a secondary outlives a long outage of its primary. */
const SOA_EXPIRE_SECONDS = 1_209_600;
/**
 * How long resolvers cache an NXDOMAIN answer (RFC 2308 section 4). Five minutes: names are often queried just before they
 * are created (ACME challenges), and a longer time would delay them everywhere.
 * The chains of signed domains carry this TTL: if it changes, all of them have to be signed again (RFC 9077).
 */
const SOA_MINIMUM_SECONDS = 300;

/** The TTL of the SOA record itself. One hour: secondaries use the refresh timer, and resolvers rarely query SOA records. */
export const SOA_TTL_SECONDS = 3600;

/** The TTL of NSEC and NSEC3 records (RFC 9077 section 3). */
export const NEGATIVE_TTL_SECONDS = Math.min(SOA_TTL_SECONDS, SOA_MINIMUM_SECONDS);

/**
 * The TTL of answers about what does not exist, and of NSEC and NSEC3 records, beside a SOA record (RFC 2308 section 5,
 * RFC 9077 section 3).
 *
 * @param rdata well-formed SOA data
 */
export function negativeTtlOf(soaTtl: number, rdata: Uint8Array): number {
  return Math.min(soaTtl, new DataView(rdata.buffer, rdata.byteOffset).getUint32(rdata.length - 4));
}

/** TTL of the NS records that a domain without any of its own is served with. */
export const OWN_NAMESERVERS_TTL_SECONDS = 3600;

/** In the order of the record. */
function soaTimes(): readonly number[] {
  return [SOA_REFRESH_SECONDS, SOA_RETRY_SECONDS, SOA_EXPIRE_SECONDS, SOA_MINIMUM_SECONDS];
}

/** True if well-formed SOA data has the times of this service. */
export function hasOwnTimes(rdata: Uint8Array): boolean {
  const times = soaTimes();
  const view = new DataView(rdata.buffer, rdata.byteOffset + rdata.length - 4 * times.length);
  return times.every((time, at) => view.getUint32(4 * at) === time);
}

/** The members of a PATCH of the SOA fields; null means the same as absent. */
export interface SoaInput {
  readonly nsprimary?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** SOA fields to set; fields that were not given are absent. */
export interface SoaFields {
  readonly soaPrimary?: string;
  readonly soaEmail?: string;
}

/** Parses SOA fields. Every refusal is `invalid_request` and names the member at fault. */
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
