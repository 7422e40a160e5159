import type { ZoneWarning } from '../model/zone-warning.ts';
import type { Command, CommandResults, DomainWrite } from '../writes/command.ts';
import type { Outcome } from '../model/refusal.ts';
import type { OperationContext } from './operation-context.ts';
import { foreseeNewWarnings } from './zone-warnings.ts';

/** The outcome of a write; of a dry run also what there is to be warned of. */
export type Written<T> = Outcome<T> & { readonly warnings?: readonly ZoneWarning[] };

type DomainCommand = Extract<Command, DomainWrite>;

/** The one way of writes to domains and records into the store. */
export async function commitWrite<C extends DomainCommand>(
  context: OperationContext,
  command: C,
): Promise<Written<CommandResults[C['kind']]>> {
  const outcome: Outcome<CommandResults[C['kind']]> = await context.store.write(command);
  if (!outcome.ok || outcome.difference === undefined) return outcome;
  const name = 'domain' in command ? command.domain : command.name;
  const { accountId } = command.author;
  return { ...outcome, warnings: await foreseeNewWarnings(context, accountId, name, outcome.difference) };
}
