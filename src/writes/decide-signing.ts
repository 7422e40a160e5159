import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { APEX } from '../model/record-name.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import type { CommandOf, SigningDisabled, SigningEnabled } from './command.ts';
import type { RenewedSignatures } from './signing/renew-signatures.ts';
import type { PendingBatch } from './pending-batch.ts';
import { countNames, ownApexTypes, refuseUnavailable } from './signing/find-signing-refusal.ts';

/** The most records of a domain that is signed at once, while others wait: two signatures a name, about 50 ms. */
export const MAX_SIGNED_AT_ONCE = 1000;

/** The most names of such a domain: with an NSEC3 chain, each record can have a hundred empty non-terminals above it. */
const MAX_NAMES_AT_ONCE = 2000;

/**
 * Switches signing on or off, as far as it is asked for and not so already; returns whether it changed. The caller adds the
 * change to the feed.
 */
export function changeSigning(
  domain: Domain,
  wanted: SigningEnabled | SigningDisabled | undefined,
  batch: PendingBatch,
): Result<boolean> {
  if (wanted === undefined || (wanted.wanted === 'enabled') === (domain.denial !== null))
    return success(false);
  if (wanted.wanted === 'disabled') {
    if (!wanted.force) return refuseStillSigned(domain);
    batch.signing.stop(domain);
    return success(true);
  }
  const refusal = findEnablingRefusal(domain, batch);
  if (refusal !== undefined) return refusal;
  batch.signing.start(domain, wanted.denial, wanted.key);
  const owners = batch.recordsOf(domain).map(({ owner }) => owner);
  const names = countNames({ current: batch.findDomain(domain.name) ?? domain }, owners);
  if (names > MAX_NAMES_AT_ONCE) return refuseManyNames(domain, names);
  return success(true);
}

function findEnablingRefusal(domain: Domain, batch: PendingBatch): Refused | undefined {
  if (!batch.signing.canSign()) return refuseUnavailable();
  const name = quoteText(domain.name);
  if (domain.recordCount > MAX_SIGNED_AT_ONCE) {
    return refused(
      'invalid_request',
      `Domain ${name} has ${domain.recordCount} records, more than the ${MAX_SIGNED_AT_ONCE} that can be signed at once`,
      'dns_sec',
    );
  }
  const apex = batch.recordsAt(domain, APEX);
  if (!ownApexTypes.some((type) => apex.findOfType(type) !== undefined)) return undefined;
  return refused(
    'record_conflict',
    `Domain ${name} has DNSKEY, CDS, CDNSKEY or NSEC3PARAM records at its apex, which the service would make itself: remove them first`,
    'dns_sec',
  );
}

function refuseManyNames({ name }: Domain, names: number): Refused {
  return refused(
    'invalid_request',
    `An NSEC3 chain of domain ${quoteText(name)} would have ${names} names, more than the ${MAX_NAMES_AT_ONCE} that can be signed at once`,
    'dns_sec',
  );
}

function refuseStillSigned({ name }: Domain): Refused {
  return refused(
    'still_delegated_signed',
    `Domain ${quoteText(name)} would fail for validating resolvers while its parent zone has DS records for it: remove them there, wait for their TTL and then for that of the DNSKEY record, and repeat the request with force=true`,
    'dns_sec',
  );
}

export function decideRenewSignatures(
  { domain: name, from }: CommandOf<'renewSignatures'>,
  batch: PendingBatch,
): WriteResult<RenewedSignatures> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  const nothing = written({ renewed: 0, next: null }, false);
  if (domain.denial === null) return nothing;
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  // Another process may have renewed it meanwhile.
  if (!batch.signing.isRenewalDue(domain)) return nothing;
  const done = batch.signing.renew(domain, from);
  return written(done, done.renewed > 0 || done.next === null);
}
