// Whether an account may create a domain of a name, beside the domains of other accounts. A deleted domain counts as its
// account's as long as it can be restored: otherwise somebody else could take the name over, or make restoring impossible.
import { isUnverified } from '../model/claim.ts';
import type { ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';
import type { Author, NameTerms } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

type NamingCommand = NameTerms & { readonly author: Pick<Author, 'accountId'> };

/** Returns undefined if the account may create the domain, which does not exist. */
export function findNameRefusal(
  name: ZoneName,
  command: NamingCommand,
  batch: PendingBatch,
): Refused | undefined {
  if (command.reservation !== undefined) return refused('name_reserved', command.reservation, 'domain');
  return findRefusalAtOrAbove(name, command, batch) ?? findRefusalBelow(name, command, batch);
}

/** Returns undefined if an account may have a domain that exists beside the domains of other accounts above and below it. */
export function findNeighbourRefusal(
  name: ZoneName,
  accountId: string,
  batch: PendingBatch,
): Refused | undefined {
  const command = { author: { accountId } };
  return (
    findRefusalAtOrAbove(name, command, batch, nextLabel(name, 0)) ?? findRefusalBelow(name, command, batch)
  );
}

/**
 * The nearest domain at or above the name decides: only its account may create domains inside it. An unverified one above
 * decides nothing: it may be anybody's, and is not served.
 */
function findRefusalAtOrAbove(
  name: ZoneName,
  { author: { accountId }, takesHeldNames }: NamingCommand,
  batch: PendingBatch,
  first = 0,
): Refused | undefined {
  for (let from = first; from !== -1; from = nextLabel(name, from)) {
    // Any suffix of a zone name after a dot is a zone name.
    const place = name.slice(from) as ZoneName;
    const domain = batch.findDomain(place);
    if (domain?.accountId === accountId) return undefined;
    if (domain !== undefined && !(from > 0 && isUnverified(domain))) return refuseTaken(place);
    const held = batch.findHolder(place);
    if (held === accountId) return undefined;
    if (held !== undefined && takesHeldNames !== true) return refuseHeld(place);
  }
  return undefined;
}

function nextLabel(name: string, from: number): number {
  const dot = name.indexOf('.', from);
  return dot === -1 ? -1 : dot + 1;
}

function findRefusalBelow(
  name: ZoneName,
  { author: { accountId }, takesHeldNames }: NamingCommand,
  batch: PendingBatch,
): Refused | undefined {
  if (!batch.hasForeignBelow(name, accountId, takesHeldNames !== true)) return undefined;
  return refused(
    'domain_taken',
    `Domain ${quoteText(name)} would enclose a domain that is held by another account`,
    'domain',
  );
}

export function refuseTaken(name: ZoneName): Refused {
  return refused('domain_taken', `Domain ${quoteText(name)} is held by another account`, 'domain');
}

/** The client can show control of the name first. */
export function refuseClaimed(name: ZoneName): Refused {
  return refused(
    'domain_claimed',
    `Domain ${quoteText(name)} is claimed by another account, which has not shown control of it: create the domain without records to learn how to show yours`,
    'domain',
  );
}

function refuseHeld(name: ZoneName): Refused {
  return refused(
    'domain_held',
    `Domain ${quoteText(name)} was deleted and is kept for its account as long as it can be restored`,
    'domain',
  );
}
