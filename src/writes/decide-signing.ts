import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { APEX } from '../model/record-name.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import type { CommandOf, SignedSlice, SigningDisabled, SigningEnabled } from './command.ts';
import type { RenewedSignatures } from './signing/renew-signatures.ts';
import type { PendingBatch } from './pending-batch.ts';
import { ownApexTypes, refuseUnavailable } from './signing/find-signing-refusal.ts';

/**
 * Switches signing on or off, as far as it is asked for and not so already; returns whether it changed. The caller adds the
 * change to the feed.
 */
export function changeSigning(
  domain: Domain,
  wanted: SigningEnabled | SigningDisabled | undefined,
  batch: PendingBatch,
): Result<boolean> {
  if (wanted === undefined) return success(false);
  if (wanted.wanted === 'disabled') return switchOff(domain, wanted, batch);
  if (domain.signingWork?.kind === 'sign') return success(false);
  if (domain.denial === null) return switchOn(domain, wanted, batch);
  if (domain.withdrawnAtSeconds === null) return success(false);
  batch.signing.goOn(domain);
  return success(true);
}

function switchOff(domain: Domain, { force, id }: SigningDisabled, batch: PendingBatch): Result<boolean> {
  // Nobody has seen the signatures of a domain that is not signed yet.
  if (domain.signingWork?.kind === 'sign') {
    batch.signing.stop(domain);
    return success(true);
  }
  if (domain.denial === null) return success(false);
  if (force) {
    batch.signing.stop(domain);
    return success(true);
  }
  if (domain.withdrawnAtSeconds !== null) return success(false);
  if (batch.signing.keysOf(domain).some(({ rollover }) => rollover !== null)) {
    return refused(
      'dnssec_conflict',
      `A key of domain ${quoteText(domain.name)} is being exchanged: cancel that first, or wait until it is done`,
      'dns_sec',
    );
  }
  if (batch.signing.keysOf(domain).some(({ origin }) => origin === 'foreign')) {
    return refused(
      'dnssec_conflict',
      `Domain ${quoteText(domain.name)} has keys of another provider, whose DS records would be removed, too: remove these keys first; if the domain moves there, no longer announce its own key, and delete the domain here afterwards`,
      'dns_sec',
    );
  }
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  batch.signing.withdraw(domain, id);
  return success(true);
}

function switchOn(domain: Domain, wanted: SigningEnabled, batch: PendingBatch): Result<boolean> {
  const refusal = findEnablingRefusal(domain, batch);
  if (refusal !== undefined) return refusal;
  batch.signing.start(domain, wanted.denial, wanted.key);
  return success(true);
}

function findEnablingRefusal(domain: Domain, batch: PendingBatch): Refused | undefined {
  if (!batch.signing.canSign()) return refuseUnavailable();
  const name = quoteText(domain.name);
  if (domain.signingWork !== null) {
    return refused(
      'dnssec_conflict',
      `Former signatures of domain ${name} are still being removed: repeat the request in a few minutes`,
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

export function decideSignSlice(
  { domain: name, work }: CommandOf<'signSlice'>,
  batch: PendingBatch,
): WriteResult<SignedSlice> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  if (work.kind !== 'remove' && !batch.signing.canSign(domain)) return refuseUnavailable();
  const moved = batch.signing.takeSlice(domain, work);
  const { signingWork } = batch.findDomain(name) ?? domain;
  return written({ moved, work: signingWork }, moved);
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
