// Writes to the store. No other file of this folder calls the store's `write`.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { ZoneName } from '../model/domain.ts';
import type { WriteResult } from '../model/result.ts';
import type { Store } from '../store/store.ts';
import type { Command, CommandResult, CommandValues, DomainWrite } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import { foreseeNewWarnings } from './zone-warnings.ts';

/** A command about one domain. */
type DomainCommand = Extract<Command, DomainWrite & (InDomain | AboutDomain)>;
type InDomain = { readonly domain: ZoneName };
type AboutDomain = { readonly name: ZoneName };

/** Commits any write. Rejects with `StoreUnavailable`, or with `CommitInDoubt` if it may have been committed. */
export function commitWrite<C extends Command>(
  context: { readonly store: Pick<Store, 'write'> },
  command: C,
  getSignal?: GetSignal,
): Promise<CommandResult<C>> {
  return context.store.write(command, getSignal);
}

/** Commits a write to a domain or its records. The result of a dry run includes the warnings that the change would cause. */
export async function commitDomainWrite<C extends DomainCommand>(
  context: OperationContext,
  command: C,
  { getSignal, share }: Pick<Requester, 'getSignal' | 'share'> = {},
): Promise<WriteResult<CommandValues[C['kind']]>> {
  const result: WriteResult<CommandValues[C['kind']]> = await commitWrite(context, command, getSignal);
  if (!result.ok || result.difference === undefined) return result;
  const name = 'domain' in command ? command.domain : command.name;
  const { accountId } = command.author;
  const zone = { accountId, name, getSignal, share };
  return { ...result, warnings: await foreseeNewWarnings(context, zone, result.difference) };
}
