import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import { hasSome } from '../model/rights.ts';
import { findReservation } from '../model/reserved-names.ts';
import type { NameTerms } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';

/** Returns the members of a command that may create a domain of that name (contract rules 55 and 85). */
export function nameTermsOf(
  { settings }: Pick<OperationContext, 'settings'>,
  { rights }: Pick<Caller, 'rights'>,
  name: ZoneName,
): NameTerms {
  const isVerified = settings.claims === 'verified';
  if (hasSome(rights, 'accounts:write'))
    return { takesHeldNames: true, claim: isVerified ? 'administrator' : undefined };
  const claim = isVerified ? 'unverified' : undefined;
  return { reservation: findReservation(name, settings.soa), claim };
}
