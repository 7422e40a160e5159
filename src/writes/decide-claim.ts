// Decides about the control of domains: when they are created, when it is shown, and when nobody has shown it in time.
import { findNeighbourRefusal } from './check-name.ts';
import { isUnverified } from '../model/claim.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { isFormerNameserversId } from '../model/former-nameservers.ts';
import { refuseUnknownAccount, refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { Author, CommandOf, CommandValues, NameTerms } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

type ClaimCommand = CommandOf<'settleClaim' | 'openClaim' | 'expireClaim' | 'assignNameservers'>;

export function decideClaim(
  command: ClaimCommand,
  batch: PendingBatch,
): WriteResult<CommandValues[ClaimCommand['kind']]> {
  switch (command.kind) {
    case 'settleClaim':
      return settleClaim(command, batch);
    case 'openClaim':
      return openClaim(command, batch);
    case 'expireClaim':
      return expireClaim(command, batch);
    case 'assignNameservers':
      return assignNameservers(command, batch);
  }
}

/** Notes the claim of a domain that was just created; call it before anything is written to it. */
export function claimNew(
  domain: Domain,
  { claim, author }: NameTerms & { readonly author: Author },
  batch: PendingBatch,
): void {
  if (claim === undefined) return;
  const sinceSeconds = Math.floor(author.atMs / 1000);
  if (claim !== 'unverified') batch.claim(domain, { proof: claim, sinceSeconds });
  else batch.claim(domain, { proof: isInsideOwn(domain, batch) ? 'parent' : null, sinceSeconds });
}

/**
 * Whether the nearest domain above is one of the account, and not unverified: the account answers for all names below it
 * anyway.
 */
function isInsideOwn({ name, accountId }: Domain, batch: PendingBatch): boolean {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const above = batch.findDomain(name.slice(dot + 1) as ZoneName);
    if (above?.accountId === accountId) return !isUnverified(above);
    if (above !== undefined && !isUnverified(above)) return false;
  }
  return false;
}

/** Another account has shown control of the name. The account learns only that. */
export function displaceClaim(domain: Domain, batch: PendingBatch): void {
  batch.deleteDomain(domain, true);
  const { accountId, name } = domain;
  batch.trail.noteByService({ accountId, action: 'domain.displace', object: name });
}

function settleClaim(
  { domain: name, id, proof }: CommandOf<'settleClaim'>,
  batch: PendingBatch,
): WriteResult<{ readonly settled: boolean }> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  if (domain.id !== id || !isUnverified(domain)) return written({ settled: false }, false);
  const sinceSeconds = Math.floor((batch.rights.author?.atMs ?? 0) / 1000);
  batch.claim(domain, { proof, sinceSeconds });
  const { accountId } = domain;
  batch.trail.note({ accountId, action: 'domain.verify', object: name, detail: { proof } });
  return written({ settled: true });
}

/**
 * It is as if nobody had ever had to show control of it. One that another account could not have beside its own domains stays
 * unverified: it was created only because it was not served.
 */
function openClaim(
  { domain: name, id }: CommandOf<'openClaim'>,
  batch: PendingBatch,
): WriteResult<{ readonly settled: boolean }> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  const { accountId } = domain;
  const isMeant = domain.id === id && isUnverified(domain);
  if (!isMeant || findNeighbourRefusal(name, accountId, batch) !== undefined)
    return written({ settled: false }, false);
  batch.claim(domain, null);
  batch.trail.note({ accountId, action: 'domain.release', object: name });
  return written({ settled: true });
}

/** It can be restored like one that its owner has deleted, but the name is free. */
function expireClaim(
  { domain: name, id, sinceSeconds }: CommandOf<'expireClaim'>,
  batch: PendingBatch,
): WriteResult<{ readonly expired: boolean }> {
  const domain = batch.findDomain(name);
  const isMeant = domain?.id === id && isUnverified(domain) && domain.claim?.sinceSeconds === sinceSeconds;
  if (domain === undefined || !isMeant) return written({ expired: false }, false);
  const { accountId } = domain;
  batch.trail.note({ accountId, action: 'domain.expire', object: name });
  batch.deleteDomain(domain);
  return written({ expired: true });
}

function assignNameservers(
  { accountId, names, former, formerId, mayShare }: CommandOf<'assignNameservers'>,
  batch: PendingBatch,
): WriteResult<{ readonly names: readonly string[] | null }> {
  if (!isFormerNameserversId(accountId) && batch.findAccount(accountId) === undefined)
    return refuseUnknownAccount(accountId);
  const stored = batch.accounts.findNameservers(accountId) ?? null;
  if (stored?.join() !== former?.join()) return written({ names: stored ?? names }, false);
  if (!mayShare && batch.accounts.isNameserverSetTaken(names, accountId))
    return written({ names: null }, false);
  if (former !== null && formerId !== null) batch.accounts.putNameservers(formerId, former);
  batch.accounts.putNameservers(accountId, names);
  return written({ names });
}
