// The control of domains as their owners, and administrators, see it and show it (contract rule 85).
import { challengeOf } from '../claims/challenge.ts';
import type { ClaimLook } from '../claims/claim-looks.ts';
import { describeClaim, type ClaimStatus } from '../claims/describe-claim.ts';
import { findProof } from '../claims/find-proof.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import { isUnverified, type ClaimProof } from '../model/claim.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { success, type Result } from '../model/result.ts';
import { refuseStanding } from '../writes/refuse-suspended.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain, parsePathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import { wantedProofOf } from './wanted-proof.ts';

/** Asks nobody: what was seen lately is shown. */
export async function getClaim(
  context: OperationContext,
  caller: Caller,
  domainText: string,
): Promise<Result<ClaimStatus>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  return success(await describe(context, found.value, context.claimLooks.last(found.value.name)));
}

/**
 * Looks at the servers of an unverified domain now, within the limits of `ClaimLooks`; from a proof on, the domain is served.
 * A dry run only looks.
 *
 * @param getSignal called only if the request has to wait
 */
export async function checkClaim(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  getSignal: GetSignal,
): Promise<Result<ClaimStatus>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const account = await context.store.findAccount(domain.accountId);
  const refusal = refuseStanding(account?.standing);
  if (refusal !== undefined) return refusal;
  if (!isUnverified(domain)) return success(await describe(context, domain, undefined));
  if (context.settings.claims !== 'verified') {
    const opened = await open(context, caller, domain);
    if (opened !== undefined) return opened;
  }
  const { accountId, name } = domain;
  const look = await context.claimLooks.look(accountId, ownerDomainName(APEX, name), name, getSignal);
  const wanted = await wantedProofOf(context, domain);
  const proof = look.kind === 'asked' ? findProof(look.sight, wanted) : undefined;
  if (proof === undefined || caller.terms?.dryRun === true)
    return success(await describe(context, domain, look));
  return settle(context, caller, domain, proof);
}

/** An administrator knows whose domain it is. */
export async function verifyDomain(
  context: OperationContext,
  caller: Requester,
  accountId: string,
  domainText: string,
): Promise<Result<ClaimStatus>> {
  const name = parsePathDomain(domainText);
  if (!name.ok) return name;
  const domain = await context.store.findDomain(accountId, name.value);
  if (domain === undefined) return refuseUnknownDomain(name.value);
  if (!isUnverified(domain) || caller.terms?.dryRun === true)
    return success(await describe(context, domain, undefined));
  return settle(context, caller, domain, 'administrator');
}

async function settle(
  context: OperationContext,
  caller: Requester,
  domain: Domain,
  proof: ClaimProof,
): Promise<Result<ClaimStatus>> {
  const { author } = termsOf(context, caller);
  const { id, name, accountId } = domain;
  const result = await commitWrite(context, { kind: 'settleClaim', author, domain: name, id, proof });
  if (!result.ok) return result;
  return describeNow(context, accountId, name);
}

/** Serves a domain that was created while control had to be shown; undefined if it stays unverified. */
async function open(
  context: OperationContext,
  caller: Requester,
  { id, name, accountId }: Domain,
): Promise<Result<ClaimStatus> | undefined> {
  if (caller.terms?.dryRun === true) return undefined;
  const { author } = termsOf(context, caller);
  const result = await commitWrite(context, { kind: 'openClaim', author, domain: name, id });
  if (!result.ok) return result;
  if (!result.value.settled) return undefined;
  return describeNow(context, accountId, name);
}

async function describeNow(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
): Promise<Result<ClaimStatus>> {
  const now = await context.store.findDomain(accountId, name);
  return now === undefined ? refuseUnknownDomain(name) : success(await describe(context, now, undefined));
}

async function describe(
  context: OperationContext,
  domain: Domain,
  look: ClaimLook | undefined,
): Promise<ClaimStatus> {
  const wanted = await wantedProofOf(context, domain);
  return describeClaim({ domain, wanted, challenge: challengeOf(domain.accountId, domain.name), look });
}
