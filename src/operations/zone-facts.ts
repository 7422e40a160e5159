// Reads what a check has to know about the other domains of the account. Bounded: whatever a zone names, it costs at most 150
// short reads. Domains of other accounts are never looked at.
import { rrType } from '../dns/codes.ts';
import { noFacts, type NameFacts, type ParentFacts, type ZoneFacts } from '../checks/zone-facts.ts';
import { isSpf } from '../checks/spf-policy.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import { visitInSteps, type Steps } from '../base/steps.ts';
import { checkClient, runForClient } from './run-for-client.ts';

/** Domains inside the zone; of more, the first are looked at. */
const MAX_DOMAINS_BELOW = 500;

/** Rows that a check reads of other domains, at most. They are counted as work of the account, like its own records. */
export const MOST_FACT_READS = MAX_DOMAINS_BELOW + 150;

/** Names in SPF records that may be in other domains: mail servers look up ten. */
const MAX_NAMES = 10;

/** Names above a name that are looked at. */
const MAX_LABELS = 5;

/** Records of one name: more than most names have. */
const MAX_RECORDS = 100;

export interface FactsRequest {
  readonly accountId: string;
  readonly name: ZoneName;
  readonly records: readonly DomainRecord[];
  readonly getSignal?: GetSignal | undefined;
}

type FactsStore = Pick<Store, 'findDomain' | 'listDomains' | 'listRecords'>;

/** Without facts if the store is too busy for them: a check is then less complete, and no less right. */
export async function readZoneFacts(store: FactsStore, request: FactsRequest): Promise<ZoneFacts> {
  try {
    const [domainsBelow, parent, names] = await Promise.all([
      readDomainsBelow(store, request),
      readParent(store, request),
      readNames(store, request),
    ]);
    return { domainsBelow, parent, names };
  } catch (error) {
    if (error instanceof StoreUnavailable) return noFacts;
    throw error;
  }
}

async function readDomainsBelow(
  store: FactsStore,
  { accountId, name, getSignal }: FactsRequest,
): Promise<ReadonlySet<OwnerKey>> {
  const page = { direction: 'after', key: null, limit: MAX_DOMAINS_BELOW } as const;
  const suffix = `.${name}`;
  const { rows } = await store.listDomains(accountId, page, suffix, getSignal);
  const below = rows.filter((domain) => domain.name.endsWith(suffix));
  return new Set(below.map((domain) => domain.name.slice(0, -suffix.length) as OwnerKey));
}

async function readParent(
  store: FactsStore,
  { accountId, name }: FactsRequest,
): Promise<ParentFacts | undefined> {
  const found = await findDomainOf(store, accountId, nameAbove(name));
  if (found === undefined) return undefined;
  const owner = name.slice(0, -found.name.length - 1) as OwnerKey;
  const types = new Set((await recordsAt(store, found, owner)).map(({ type }) => type));
  types.delete(rrType.NS);
  types.delete(rrType.DS);
  return { name: found.name, hiddenTypes: [...types] };
}

async function readNames(
  store: FactsStore,
  { accountId, name, records, getSignal }: FactsRequest,
): Promise<ReadonlyMap<string, NameFacts>> {
  const facts = new Map<string, NameFacts>();
  for (const target of await runForClient(spfTargets(name, records), getSignal)) {
    checkClient(getSignal?.());
    const found = await readName(store, accountId, target);
    if (found !== undefined) facts.set(target, found);
  }
  return facts;
}

/** Names outside the zone in its policies, in lower case and without the final dot. Names with macros are left out. */
function* spfTargets(zone: ZoneName, records: readonly DomainRecord[]): Steps<ReadonlySet<string>> {
  const names = new Set<string>();
  yield* visitInSteps(records, ({ type, data }) => {
    if (type !== rrType.TXT || names.size >= MAX_NAMES || !isSpf(data.slice(1, -1))) return;
    for (const [, host] of data.matchAll(SPF_TARGET)) {
      const name = host.toLowerCase();
      if (names.size < MAX_NAMES && name !== zone && !name.endsWith(`.${zone}`)) names.add(name);
    }
  });
  return names;
}

const SPF_TARGET = /[ +?~-](?:include:|redirect=|a:|mx:)([\w.-]+[\w-])(?=[ ./"])/gi;

/** Undefined if the name is in no domain of the account, or if a wildcard or a delegation may answer for it. */
async function readName(store: FactsStore, accountId: string, name: string): Promise<NameFacts | undefined> {
  const domain = await findDomainOf(store, accountId, name);
  if (domain === undefined) return undefined;
  const owner = name.slice(0, -domain.name.length - 1) as OwnerKey;
  const records = await recordsAt(store, domain, owner);
  if (records.length === 0 && (await mayBeAnsweredAbove(store, domain, owner))) return undefined;
  return {
    types: new Set(records.map(({ type }) => type)),
    hasSpf: records.some(({ type, data }) => type === rrType.TXT && isSpf(data.slice(1, -1))),
  };
}

async function mayBeAnsweredAbove(store: FactsStore, domain: Domain, owner: OwnerKey): Promise<boolean> {
  for (let above: string = owner; above !== APEX;) {
    above = nameAbove(above);
    const wildcard = (above === APEX ? '*' : `*.${above}`) as OwnerKey;
    if ((await recordsAt(store, domain, wildcard)).length > 0) return true;
    const records = await recordsAt(store, domain, above as OwnerKey);
    if (records.some(({ type }) => type === rrType.DNAME || (type === rrType.NS && above !== APEX)))
      return true;
  }
  return false;
}

/** The nearest domain of the account at or above a name. */
async function findDomainOf(store: FactsStore, accountId: string, name: string): Promise<Domain | undefined> {
  let at = name;
  for (let labels = 0; labels < MAX_LABELS && at.includes('.'); labels++) {
    const domain = await store.findDomain(accountId, at as ZoneName);
    if (domain !== undefined) return domain;
    at = nameAbove(at);
  }
  return undefined;
}

async function recordsAt(
  store: FactsStore,
  domain: Domain,
  owner: OwnerKey,
): Promise<readonly Pick<DomainRecord, 'type' | 'data'>[]> {
  const page = { direction: 'after', key: null, limit: MAX_RECORDS } as const;
  return (await store.listRecords(domain, page, { owner })).rows;
}

/** Without the first label. */
function nameAbove(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}
