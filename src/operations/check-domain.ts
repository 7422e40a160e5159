import { checkServing } from '../checks/check-serving.ts';
import { checkZone, MAX_WARNINGS } from '../checks/check-zone.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { ReadResult } from '../model/result.ts';
import { findCostRefusal } from './account-limits.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { useZone } from './read-zone.ts';
import { runForClient } from './run-for-client.ts';
import type { Requester } from './requester.ts';
import { MOST_FACT_READS, readZoneFacts } from './zone-facts.ts';

/** Finds likely mistakes in a domain. */
export async function checkDomain(
  context: OperationContext,
  caller: Requester,
  domainText: string,
): Promise<ReadResult<readonly ZoneWarning[]>> {
  const name = parsePathDomain(domainText);
  if (!name.ok) return name;
  const { accountId, getSignal } = caller;
  const domain = await context.store.findDomain(accountId, name.value);
  if (domain !== undefined) {
    const { recordCount, octets } = domain;
    const rows = recordCount + MOST_FACT_READS;
    const refusal = await findCostRefusal(context, caller, { rows, octets });
    if (refusal !== undefined) return refusal;
  }
  const checked = await useZone(
    context,
    { accountId, name: name.value, getSignal },
    async ({ domain, records }) => {
      const facts = await readZoneFacts(context.store, { accountId, name: name.value, records, getSignal });
      const found = await runForClient(checkZone(domain.name, records, facts), getSignal);
      const all = [...checkServing(domain.withheld), ...found];
      return foundAt(all.slice(0, MAX_WARNINGS), domain);
    },
  );
  return checked.ok ? checked.value : checked;
}
