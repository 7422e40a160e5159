import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import { hasSome } from '../model/rights.ts';
import { findReservation } from '../model/reserved-names.ts';
import type { NameTerms } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';

/** Returns the members of a command that may create a domain of that name (contract rule 55). */
export function nameTermsOf(
  { settings }: Pick<OperationContext, 'settings'>,
  { rights }: Pick<Caller, 'rights'>,
  name: ZoneName,
): NameTerms {
  if (hasSome(rights, 'accounts:write')) return { takesHeldNames: true };
  return { reservation: findReservation(name, settings.soa) };
}
