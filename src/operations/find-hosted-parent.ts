import { rrType } from '../dns/codes.ts';
import type { Caller } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { hostOf } from '../model/host-of.ts';
import { parseRecordName } from '../model/record-name.ts';
import { formatDs, readDs } from '../signer/match-ds.ts';
import type { HostedParent } from '../signer/status/signing-facts.ts';
import type { RecordFilter } from '../store/record-filter.ts';
import type { ListedRecord } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';

/** Each is a read of one row. Delegations of the IPv6 reverse tree are up to twelve labels apart (/16 to /64). */
const MAX_LABELS_REMOVED = 12;

/** A DS set has a few records: two digests for each of two keys. */
const MAX_DS = 100;

/**
 * Finds the closest domain above that the account has here. Names that are not its own are never above its domains
 * (contract rule 56).
 */
export async function findHostedParent(
  context: OperationContext,
  caller: Pick<Caller, 'accountId'>,
  name: ZoneName,
): Promise<HostedParent | undefined> {
  const found = await findHostedDelegation(context, { accountId: caller.accountId, name });
  if (found === undefined) return undefined;
  const { parent, ds, nameservers } = found;
  return { domain: parent.name, ds, isDelegated: nameservers.length > 0 };
}

/** The records of a delegation, as the domain above has them. */
interface HostedDelegation {
  readonly parent: Domain;
  /** Host names in lower case, without the final dot, sorted. */
  readonly nameservers: readonly string[];
  /** In presentation format, sorted. */
  readonly ds: readonly string[];
}

/** As `findHostedParent`, with the nameservers. */
export async function findHostedDelegation(
  context: OperationContext,
  { accountId, name }: Pick<Domain, 'accountId' | 'name'>,
): Promise<HostedDelegation | undefined> {
  const labels = name.split('.');
  for (let removed = 1; removed < labels.length && removed <= MAX_LABELS_REMOVED; removed++) {
    const above = labels.slice(removed).join('.') as ZoneName;
    const parent = await context.store.findDomain(accountId, above);
    if (parent !== undefined) return readDelegation(context, parent, labels.slice(0, removed).join('.'));
  }
  return undefined;
}

async function readDelegation(
  context: OperationContext,
  parent: Domain,
  relative: string,
): Promise<HostedDelegation | undefined> {
  const owner = parseRecordName(relative, parent.name);
  if (!owner.ok) return undefined;
  const list = (type: number): Promise<readonly ListedRecord[]> =>
    listRecords(context, parent, { type, owner: owner.value.owner });
  const [ds, ns] = await Promise.all([list(rrType.DS), list(rrType.NS)]);
  return {
    parent,
    nameservers: [...new Set(ns.map(hostOf))].sort(),
    ds: ds.map(({ data }) => formatDs(readDs(data))).sort(),
  };
}

async function listRecords(
  { store }: OperationContext,
  parent: Domain,
  filter: RecordFilter,
): Promise<readonly ListedRecord[]> {
  const page = { direction: 'after', key: null, limit: MAX_DS } as const;
  return (await store.listRecords(parent, page, filter)).rows;
}
