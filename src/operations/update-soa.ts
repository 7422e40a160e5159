import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import type { Outcome } from '../model/refusal.ts';
import { parseSoaFields, type SoaInput } from '../model/soa.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { findPathDomain, parsePathDomain } from './path-domain.ts';

/** Sets the SOA fields that are the owner's. Absent fields stay as they are; without any there is nothing to write. */
export async function updateSoa(
  context: OperationContext,
  caller: Caller,
  domain: string,
  patch: SoaInput,
): Promise<Outcome<Domain>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const fields = parseSoaFields(patch);
  if (!fields.ok) return fields;
  if (Object.keys(fields.value).length === 0) return findPathDomain(context, caller, domain);
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  const author = authorOf(context, caller);
  return context.store.write({ kind: 'updateDomain', author, name: name.value, ...fields.value });
}
