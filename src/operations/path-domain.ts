// Finds the domain in a request's path. Unknown domains, malformed names and domains of other accounts get the same answer.
import type { Caller } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { success, type ReadResult, type Result } from '../model/result.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { parseZoneName } from '../model/zone-name.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';

/** Whether the name may be hosted was checked when the domain was created. */
const lookUpRules = { allowPublicSuffixes: true };

/** Normalises the name like that of a new domain (contract rule 17). */
export function parsePathDomain(text: string): Result<ZoneName> {
  const name = parseZoneName(text, lookUpRules);
  return name.ok ? success(name.value) : refuseUnknownDomain(text);
}

/** Finds the caller's domain of that name. */
export async function findPathDomain(
  context: OperationContext,
  caller: Caller,
  text: string,
): Promise<ReadResult<Domain>> {
  const name = parsePathDomain(text);
  if (!name.ok) return name;
  const domain = await context.store.findDomain(caller.accountId, name.value);
  return domain === undefined ? refuseUnknownDomain(name.value) : foundAt(domain, domain);
}
