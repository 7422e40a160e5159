import { dnsSecOf, type DnsSecState, type Domain } from '../model/domain.ts';
import { success, type Result, type WriteResult } from '../model/result.ts';
import type { CommandOf } from '../writes/command.ts';
import { findSigningCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import { wantSigning } from './wanted-signing.ts';
import { writeNothing } from './write-nothing.ts';

export interface DomainState {
  readonly dns_sec?: DnsSecState | undefined;
  /** Stops signing at once, although resolvers may still expect signatures. */
  readonly force?: boolean;
}

/** Sets `dns_sec`. Nothing is written if the domain is in that state already (contract rules 18, 62 and 63). */
export async function updateDomain(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  { dns_sec: state, force = false }: DomainState,
): Promise<WriteResult<Domain>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  // While signing is being withdrawn, it is not wanted, and can still be ended at once.
  const isEndedNow = force && found.value.denial !== null;
  if (state === undefined || (state === dnsSecOf(found.value) && !isEndedNow))
    return writeNothing(context, caller, domainText);
  const dnsSec = wantState(context, state, force);
  if (!dnsSec.ok) return dnsSec;
  const refusal = await findSigningCostRefusal(context, caller, found.value);
  if (refusal !== undefined) return refusal;
  const { name } = found.value;
  const command = { kind: 'updateDomain', ...termsOf(context, caller), name, dnsSec: dnsSec.value } as const;
  const result = await commitDomainWrite(context, command, caller);
  if (!result.ok || result.difference === undefined) return result;
  const change = { before: dnsSecOf(found.value), after: state };
  return { ...result, difference: { ...result.difference, dnsSec: change } };
}

type WantedState = NonNullable<CommandOf<'updateDomain'>['dnsSec']>;

function wantState(context: OperationContext, state: DnsSecState, force: boolean): Result<WantedState> {
  return state === 'enabled'
    ? wantSigning(context)
    : success({ wanted: 'disabled', force, id: context.newId() });
}
