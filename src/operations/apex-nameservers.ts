import { rrType } from '../dns/codes.ts';
import type { Domain } from '../model/domain.ts';
import { hostOf } from '../model/host-of.ts';
import { APEX } from '../model/record-name.ts';
import type { ListedRecord } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';

/** More nameservers than any domain has; a referral with more does not fit into an answer. */
const MAX_NAMESERVERS = 100;

/** Returns a domain's own NS records; the data of each is a host name without a final dot, in lower case. */
export async function readApexNameservers(
  { store }: Pick<OperationContext, 'store'>,
  domain: Domain,
): Promise<readonly ListedRecord[]> {
  const page = { direction: 'after', key: null, limit: MAX_NAMESERVERS } as const;
  const { rows } = await store.listRecords(domain, page, { owner: APEX, type: rrType.NS });
  return rows.map((row) => ({ ...row, data: hostOf(row) }));
}
