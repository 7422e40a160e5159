/** The owner of a domain has a say in its rollover or withdrawal: holds it, or says which DS records the parent zone has. */
import type { Rollover } from '../dnssec/rollover.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { CommandOf } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import { refuseConflict } from './decide-rollover.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';

/** Nothing goes on by itself without a rollover, so none can be held; that it is held no longer is true then. */
export function holdRollover(
  { domain: name, author, isHeld }: CommandOf<'holdRollover'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const rollover = findRollover(found.value, batch);
  if (rollover === undefined && isHeld) {
    return refuseConflict(
      `Nothing can be held: no key of domain ${quoteText(name)} is being exchanged, and its signing is not being withdrawn`,
    );
  }
  if (rollover === undefined || (rollover.isHeld ?? false) === isHeld) return written(null, false);
  return changeNote(found.value, { ...rollover, isHeld: isHeld || undefined }, batch);
}

/** The caller has looked whether the parent zone can be asked. */
export function noteDsSeen(
  { domain: name, author, id, step, seen }: CommandOf<'noteDsSeen'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const rollover = findRollover(found.value, batch);
  if (rollover?.id !== id || rollover.step !== step) {
    return refuseConflict(`The rollover of domain ${quoteText(name)} is at another step by now`);
  }
  return changeNote(found.value, { ...rollover, seen }, batch);
}

function findRollover(domain: Domain, batch: PendingBatch): Rollover | undefined {
  return batch.signing.keysOf(domain).find(({ rollover }) => rollover !== null)?.rollover ?? undefined;
}

function changeNote(domain: Domain, rollover: Rollover, batch: PendingBatch): WriteResult<null> {
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  batch.updateDomain(domain, {});
  batch.signing.changeRollover(domain, rollover);
  return written(null);
}
