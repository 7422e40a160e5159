// Writes to the store. No other file of this folder calls the store's `write`.
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { Outcome } from '../model/refusal.ts';
import type { Store } from '../store/store.ts';
import type { Command, CommandOutcome, CommandResults, DomainWrite } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';
import { foreseeNewWarnings } from './zone-warnings.ts';

/** The outcome of a write to a domain; that of a dry run includes the warnings that the change would cause. */
export type Written<T> = Outcome<T> & { readonly warnings?: readonly ZoneWarning[] };

type DomainCommand = Extract<Command, DomainWrite>;

/** Commits any write. Rejects with `StoreUnavailable`, or with `OutcomeUnknown` if it may have been committed. */
export function commitWrite<C extends Command>(
  context: { readonly store: Pick<Store, 'write'> },
  command: C,
): Promise<CommandOutcome<C>> {
  return context.store.write(command);
}

/** Commits a write to a domain or its records. */
export async function commitDomainWrite<C extends DomainCommand>(
  context: OperationContext,
  command: C,
): Promise<Written<CommandResults[C['kind']]>> {
  const outcome: Outcome<CommandResults[C['kind']]> = await commitWrite(context, command);
  if (!outcome.ok || outcome.difference === undefined) return outcome;
  const name = 'domain' in command ? command.domain : command.name;
  const { accountId } = command.author;
  return { ...outcome, warnings: await foreseeNewWarnings(context, accountId, name, outcome.difference) };
}
