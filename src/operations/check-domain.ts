import { runInSteps } from '../base/steps.ts';
import { checkZone } from '../checks/check-zone.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { ReadResult } from '../model/result.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { readZone } from './read-zone.ts';
import type { Requester } from './requester.ts';

/** Finds likely mistakes in a domain. */
export async function checkDomain(
  context: OperationContext,
  caller: Requester,
  domainText: string,
): Promise<ReadResult<readonly ZoneWarning[]>> {
  const name = parsePathDomain(domainText);
  if (!name.ok) return name;
  const zone = await readZone(context, caller.accountId, name.value);
  if (!zone.ok) return zone;
  const { domain, records } = zone.value;
  return foundAt(await runInSteps(checkZone(domain.name, records)), domain);
}
