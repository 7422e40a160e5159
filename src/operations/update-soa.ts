import type { Domain } from '../model/domain.ts';
import { parseSoaFields, type SoaInput } from '../model/soa.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import type { WriteResult } from '../model/result.ts';
import { writeNothing } from './write-nothing.ts';

/** Sets the SOA fields that the owner can set. Absent fields keep their values; without any field, nothing is written. */
export async function updateSoa(
  context: OperationContext,
  caller: Requester,
  domain: string,
  patch: SoaInput,
): Promise<WriteResult<Domain>> {
  const fields = parseSoaFields(patch);
  if (!fields.ok) return fields;
  if (Object.keys(fields.value).length === 0) return writeNothing(context, caller, domain);
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  return commitDomainWrite(context, {
    kind: 'updateDomain',
    ...termsOf(context, caller),
    name: name.value,
    ...fields.value,
  });
}
