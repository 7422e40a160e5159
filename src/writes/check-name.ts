// Whether an account may create a domain of a name, beside the domains of other accounts. A deleted domain counts as its
// account's as long as it can be restored: otherwise somebody else could take the name over, or make restoring impossible.
import type { ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused } from '../model/result.ts';
import type { Author, NameTerms } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

type NamingCommand = NameTerms & { readonly author: Author };

/** Returns undefined if the account may create the domain, which does not exist. */
export function findNameRefusal(
  name: ZoneName,
  command: NamingCommand,
  batch: PendingBatch,
): Refused | undefined {
  if (command.reservation !== undefined) return refused('name_reserved', command.reservation, 'domain');
  return findRefusalAtOrAbove(name, command, batch) ?? findRefusalBelow(name, command, batch);
}

/** The nearest domain at or above the name decides: only its account may create domains inside it. */
function findRefusalAtOrAbove(
  name: ZoneName,
  { author: { accountId }, takesHeldNames }: NamingCommand,
  batch: PendingBatch,
): Refused | undefined {
  for (let from = 0; from !== -1; from = nextLabel(name, from)) {
    // Any suffix of a zone name after a dot is a zone name.
    const place = name.slice(from) as ZoneName;
    const domain = batch.findDomain(place);
    if (domain !== undefined) return domain.accountId === accountId ? undefined : refuseTaken(place);
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

function refuseHeld(name: ZoneName): Refused {
  return refused(
    'domain_held',
    `Domain ${quoteText(name)} was deleted and is kept for its account as long as it can be restored`,
    'domain',
  );
}
