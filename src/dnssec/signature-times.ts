/**
 * When signatures begin, end and are made again.
 *
 *     inception ── 3 h ── made ── renewed with 15…17 days left ── expiration, 20…21 days after it was made
 *
 * A secondary serves what it has for as long as the EXPIRE of the SOA record says, 14 days. Signatures that are renewed
 * with at least 15 days left therefore never expire on a secondary that serves them.
 */
import { serialLead } from '../dns/serial.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Validators whose clock is behind by less accept a new signature; also covers a wrong time zone by an hour or two. */
export const INCEPTION_LEAD_SECONDS = 3 * HOUR_SECONDS;

/** Three weeks: the 14 days of EXPIRE, and a week in which a failure of renewal is noticed. */
export const VALIDITY_SECONDS = 21 * DAY_SECONDS;

/** Spreads the renewal of domains that were signed at the same time, such as by a script. */
export const JITTER_SECONDS = DAY_SECONDS;

/** A renewal makes signatures again that have less left. */
export const RENEWED_BELOW_SECONDS = 17 * DAY_SECONDS;

/** The time between two renewals of a domain: signatures keep `RENEWED_BELOW_SECONDS` less this time, 15 days. */
export const RENEWAL_INTERVAL_SECONDS = 2 * DAY_SECONDS;

/** Seconds since 1970, modulo 2^32, as in RRSIG records (RFC 4034 section 3.1.5). */
export interface SignatureTimes {
  readonly inception: number;
  readonly expiration: number;
}

/** The times of signatures that are made now for a domain. */
export function signatureTimes(domainId: number, nowSeconds: number): SignatureTimes {
  return {
    inception: (nowSeconds - INCEPTION_LEAD_SECONDS) >>> 0,
    expiration: (nowSeconds + VALIDITY_SECONDS - jitterSeconds(domainId)) >>> 0,
  };
}

/**
 * Whether a renewal makes a signature with these times again; compares modulo 2^32. A signature that was made while the
 * clock was ahead, and begins in the future, is made again as well.
 */
export function isRenewalDue({ inception, expiration }: SignatureTimes, nowSeconds: number): boolean {
  return serialLead(expiration, nowSeconds) < RENEWED_BELOW_SECONDS || serialLead(inception, nowSeconds) > 0;
}

/**
 * The latest time at which a domain can be due that was signed until now. If one is due later, the clock was ahead when it
 * was signed: its signatures may begin in the future, and the service renews them at once. A clock that was ahead by less
 * than the jitter of the domain leaves no such trace.
 */
export function latestRenewalSeconds(nowSeconds: number): number {
  return nowSeconds + RENEWAL_INTERVAL_SECONDS;
}

/** When a domain whose signatures have been renewed now is renewed again. */
export function nextRenewalSeconds(domainId: number, nowSeconds: number): number {
  return nowSeconds + RENEWAL_INTERVAL_SECONDS - jitterSeconds(domainId);
}

/** From 0 to one day less a second; the same for each renewal of a domain. */
function jitterSeconds(domainId: number): number {
  // The multiplier, 2^32 over the golden ratio, spreads consecutive ids evenly.
  return Math.floor(((Math.imul(domainId, 0x9e3779b1) >>> 0) / 2 ** 32) * JITTER_SECONDS);
}
