// Reads the names that an explanation depends on, each with an index.
import type { GetSignal } from '../base/fair-semaphore.ts';
import { nextTurn } from '../base/steps.ts';
import type { NamedRecord, NameReader } from '../checks/explain/explanation.ts';
import { rcode, rrType } from '../dns/codes.ts';
import { domainNameAt, parseDomainName, type DomainName } from '../dns/name.ts';
import type { Domain } from '../model/domain.ts';
import { ownerDomainName } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { TypedRecord } from '../store/name-reads.ts';
import { isShort, MAX_SHORT_RECORDS } from '../store/short-reads.ts';
import type { ListedRecord } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';

/** Whether the nameserver is not needed to find out which names exist; see `createStoreNames`. */
export function isSearched({ recordCount, octets }: Domain): boolean {
  return isShort({ rows: recordCount, octets }, MAX_SHORT_RECORDS);
}

/**
 * Whether a name has names below it stands in no index: a small domain is searched, and of a large one the nameserver, which
 * has such an index, is asked.
 */
export function createStoreNames(
  context: OperationContext,
  domain: Domain,
  getSignal: GetSignal,
): NameReader {
  const isSmall = isSearched(domain);
  return {
    recordsAt: (owner, limit) => readRecords(context, domain, owner, limit),
    hasNamesBelow: (owner) =>
      isSmall
        ? searchBelow(context, domain, owner, getSignal)
        : probeBelow(context, domain, owner, getSignal),
  };
}

async function readRecords(
  { store }: OperationContext,
  domain: Domain,
  owner: OwnerKey,
  limit: number,
): Promise<readonly NamedRecord[]> {
  // A name of 127 labels would otherwise be read in one turn of the event loop.
  await nextTurn();
  return (await store.names.recordsAt(domain, owner, limit)).map(namedRecord);
}

/** The data can have U-labels; the octets say what is served. */
export function namedRecord({ id, type, rdata }: TypedRecord): NamedRecord {
  return { id, type, target: rdata ? domainNameAt(rdata, 0) : undefined };
}

async function searchBelow(
  context: OperationContext,
  domain: Domain,
  owner: OwnerKey,
  getSignal: GetSignal,
): Promise<boolean> {
  await nextTurn();
  return (await readBelow(context, domain, owner, 1, getSignal)).length > 0;
}

/** Searches a small domain for records below a name. */
export async function readBelow(
  { store }: OperationContext,
  domain: Domain,
  owner: OwnerKey,
  limit: number,
  getSignal: GetSignal,
): Promise<readonly ListedRecord[]> {
  const page = { direction: 'after', key: null, limit } as const;
  const within = [{ names: [{ kind: 'below', owner }], types: null }] as const;
  return (await store.listRecords(domain, page, { within }, getSignal)).rows;
}

/**
 * A name without records that is answered has names below it, or a wildcard answers for it. In the first case, that wildcard
 * does not answer for names below it (RFC 4592 section 3.3.1); one right below the name does, but not for names below itself.
 */
export async function probeBelow(
  { askNameserver, newId }: OperationContext,
  domain: Domain,
  owner: OwnerKey,
  getSignal: GetSignal,
): Promise<boolean | undefined> {
  if (askNameserver === undefined) return undefined;
  const ask = (asked: DomainName) =>
    askNameserver(domain.accountId, { name: asked, type: rrType.TXT }, getSignal);
  const name = ownerDomainName(owner, domain.name);
  const first = await ask(name);
  if ('problem' in first) return undefined;
  if (first.rcode === rcode.NXDOMAIN && first.answers.length === 0) return false;
  const isMissing = async (below: DomainName | undefined): Promise<boolean | undefined> => {
    const answer = below && (await ask(below));
    if (answer === undefined || 'problem' in answer) return undefined;
    return answer.rcode === rcode.NXDOMAIN && answer.answers.length === 0;
  };
  const isOpen = await isMissing(labelBelow(name, newId()));
  return isOpen === false ? isMissing(labelBelow(name, `${newId()}.*`)) : isOpen;
}

/** Undefined if the name would be too long. */
function labelBelow(name: DomainName, label: string): DomainName | undefined {
  const below = parseDomainName(label, name);
  return below.ok ? below.value : undefined;
}
