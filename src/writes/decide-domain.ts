import type { PendingBatch } from './pending-batch.ts';
import { findNameRefusal, refuseClaimed, refuseTaken } from './check-name.ts';
import { claimNew, displaceClaim } from './decide-claim.ts';
import { changeSigning } from './decide-signing.ts';
import { noteSigningSwitch } from './signing-notes.ts';
import type { Author, CommandOf } from './command.ts';
import { isUnverified } from '../model/claim.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { APEX } from '../model/record-name.ts';
import { refused, success, written, type Result, type WriteResult } from '../model/result.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/** Creates a domain; safe to repeat (contract rule 17). */
export function decideCreateDomain(
  command: CommandOf<'createDomain'>,
  batch: PendingBatch,
): WriteResult<Domain> {
  const { name, author, address } = command;
  const existing = batch.findDomain(name);
  const isDisplaced = existing !== undefined && mayDisplace(existing, command);
  if (existing !== undefined && !isDisplaced) return repeatCreation(existing, command, batch);
  if (isDisplaced) displaceClaim(existing, batch);
  const refusal = findNameRefusal(name, command, batch);
  if (refusal !== undefined) return refusal;
  const domain = batch.insertDomain({
    accountId: author.accountId,
    name,
    createdAtSeconds: Math.floor(author.atMs / 1000),
  });
  claimNew(domain, command, batch);
  for (const nameserver of command.nameservers) batch.putRecord(domain, nameserver);
  if (address !== null) batch.putRecord(domain, address);
  const signing = changeSigning(domain, command.dnsSec, batch);
  if (!signing.ok) return signing;
  return written(batch.findDomain(name) ?? domain);
}

/** An unverified domain of another account makes way for an account that has shown control, and for administrators. */
function mayDisplace(
  existing: Domain,
  { author, claim, takesHeldNames }: CommandOf<'createDomain'>,
): boolean {
  const hasProof = claim === 'delegation' || claim === 'challenge';
  return (
    existing.accountId !== author.accountId && isUnverified(existing) && (hasProof || takesHeldNames === true)
  );
}

function repeatCreation(
  existing: Domain,
  command: CommandOf<'createDomain'>,
  batch: PendingBatch,
): WriteResult<Domain> {
  const { author, address } = command;
  const name = quoteText(existing.name);
  if (existing.accountId !== author.accountId) {
    return isUnverified(existing) ? refuseClaimed(existing.name) : refuseTaken(existing.name);
  }
  if (address !== null && batch.recordsAt(existing, APEX).findSame(address) === undefined) {
    return refused(
      'domain_exists',
      `Domain ${name} exists and is not bound to ${quoteText(address.data)}`,
      'ip',
    );
  }
  if (command.dnsSec !== undefined && existing.denial === null) {
    return refused('domain_exists', `Domain ${name} exists and is not signed`, 'dns_sec');
  }
  return written(existing, false);
}

export function decideUpdateDomain(
  command: CommandOf<'updateDomain'>,
  batch: PendingBatch,
): WriteResult<Domain> {
  const found = getOwnDomain(command.name, command.author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const soaPrimary = command.soaPrimary ?? domain.soaPrimary;
  const soaEmail = command.soaEmail ?? domain.soaEmail;
  const signing = changeSigning(domain, command.dnsSec, batch);
  if (!signing.ok) return signing;
  const isSameSoa = soaPrimary === domain.soaPrimary && soaEmail === domain.soaEmail;
  if (signing.value) noteSigningSwitch(domain, command.dnsSec, batch);
  if (isSameSoa && !signing.value) return written(domain, false);
  return written(batch.updateDomain(domain, { soaPrimary, soaEmail }));
}

export function decideDeleteDomain(
  command: CommandOf<'deleteDomain'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(command.name, command.author, batch);
  if (!found.ok) return found;
  if (command.dryRun === true && found.value.recordCount > MAX_ZONE_RECORDS) {
    return refused(
      'invalid_request',
      `Domain ${quoteText(command.name)} has ${found.value.recordCount} records, more than the ${MAX_ZONE_RECORDS} that a dry run lists`,
    );
  }
  batch.deleteDomain(found.value);
  return written(null);
}

/** Gets the author's domain; a domain of another account counts as unknown (contract rule 8). */
export function getOwnDomain(name: ZoneName, author: Author, batch: PendingBatch): Result<Domain> {
  const domain = batch.findDomain(name);
  return domain?.accountId === author.accountId ? success(domain) : refuseUnknownDomain(name);
}
