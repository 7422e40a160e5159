// Names of a domain as they were at an earlier moment. Nothing is rewound but the changes since then, and of these only what an
// explanation needs of them: the domain itself can have any size.
import type { GetSignal } from '../base/fair-semaphore.ts';
import { nextTurn } from '../base/steps.ts';
import { serialLead } from '../dns/serial.ts';
import type { NameReader } from '../checks/explain/explanation.ts';
import { rrType } from '../dns/codes.ts';
import type { Domain } from '../model/domain.ts';
import { FIRST_GENERATED_ID } from '../model/generated-row.ts';
import type { OwnerKey } from '../model/record.ts';
import { APEX } from '../model/record-name.ts';
import { success, type Refused, type Result } from '../model/result.ts';
import { isServed } from '../model/withholding.ts';
import { CHANGE_PAGE_ENTRIES } from '../store/change-filter.ts';
import type { TypedChange, TypedRecord } from '../store/name-reads.ts';
import type { PastMoment } from '../store/zone-view.ts';
import { findHistoryRefusal } from '../writes/refuse-history.ts';
import type { OperationContext } from './operation-context.ts';
import { checkClient } from './run-for-client.ts';
import { isSearched, namedRecord, probeBelow, readBelow } from './store-names.ts';

/** Changes that are read at once: some milliseconds. */
const SLICE_CHANGES = 500;

type OwnedRecord = TypedRecord & { readonly owner: OwnerKey };

/** A record that has changed since the moment. */
interface ChangedRecord {
  /** Null: it did not exist. */
  readonly then: OwnedRecord | null;
  /** Null: it is deleted. */
  readonly now: OwnedRecord | null;
}

export interface PastNames {
  readonly serial: number;
  /** Whether nameservers answered for the domain. */
  readonly isServed: boolean;
  readonly reader: NameReader;
  /** Whether the domain is as it was when its changes were read. */
  readonly isUnchanged: () => Promise<boolean>;
}

/** @returns null: more has changed since then than is read */
export async function readPastNames(
  context: OperationContext,
  domain: Domain,
  moment: PastMoment,
  getSignal: GetSignal,
): Promise<Result<PastNames | null>> {
  const read = await readLater(context, domain, moment, getSignal);
  if (read === null) return success(null);
  const refusal = findRefusal(domain, moment, read);
  if (refusal !== undefined) return refusal;
  const { serial, later, newestSeq } = read;
  const changed = changedRecords(later);
  return success({
    serial,
    isServed: wasServed(domain, later),
    reader: {
      recordsAt: (owner, limit) => recordsThen(context, domain, changed, owner, limit),
      hasNamesBelow: (owner) => hadNamesBelow(context, domain, changed, owner, getSignal),
    },
    isUnchanged: async () => (await newestOf(context, domain)) === newestSeq,
  });
}

interface LaterRead {
  readonly serial: number;
  /** Latest first. */
  readonly later: readonly TypedChange[];
  readonly reachesBack: boolean;
  readonly newestSeq: number;
}

/** Null: they are too many. */
async function readLater(
  { store }: OperationContext,
  domain: Domain,
  moment: PastMoment,
  getSignal: GetSignal,
): Promise<LaterRead | null> {
  const isThen = ({ serial, atMs }: TypedChange): boolean =>
    'serial' in moment ? serialLead(serial, moment.serial) <= 0 : atMs <= moment.atMs;
  const read: TypedChange[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const slice = await store.names.changesBefore(domain, before, SLICE_CHANGES);
    const at = slice.findIndex(isThen);
    read.push(...(at === -1 ? slice : slice.slice(0, at)));
    const isEnd = slice.length < SLICE_CHANGES;
    if (at !== -1 || isEnd) return sinceThen(domain, moment, read, at === -1 ? undefined : slice[at]);
    if (read.length >= CHANGE_PAGE_ENTRIES) return null;
    before = slice[slice.length - 1].seq;
    await nextTurn();
    checkClient(getSignal());
  }
}

function sinceThen(
  { serial: now }: Domain,
  moment: PastMoment,
  read: readonly TypedChange[],
  then: TypedChange | undefined,
): LaterRead {
  const newestSeq = read.at(0)?.seq ?? then?.seq ?? 0;
  const serial = 'serial' in moment ? moment.serial : (then?.serial ?? now);
  const later = read.filter((change) => serialLead(change.serial, serial) > 0);
  const isKnown = then !== undefined || ('serial' in moment && serial === now);
  return { serial, later, reachesBack: isKnown && serialLead(now, serial) >= 0, newestSeq };
}

/** No more than a few names are brought back, however large the domain is. */
function findRefusal(
  domain: Domain,
  moment: PastMoment,
  { later, reachesBack }: LaterRead,
): Refused | undefined {
  const then = 'serial' in moment ? `serial ${moment.serial}` : new Date(moment.atMs).toISOString();
  const few = { ...domain, recordCount: 0, octets: 0 };
  return findHistoryRefusal(few, then, { changes: later.toReversed(), reachesBack });
}

function changedRecords(later: readonly TypedChange[]): ReadonlyMap<string, ChangedRecord> {
  const changed = new Map<string, ChangedRecord>();
  for (const { kind, record } of later) {
    if (record === null || record.id >= FIRST_GENERATED_ID) continue;
    const isPut = kind === 'recordPut';
    const now = changed.has(record.id) ? changed.get(record.id)?.now : isPut ? record : null;
    changed.set(record.id, { now: now ?? null, then: isPut ? null : record });
  }
  return changed;
}

function wasServed({ withheld }: Domain, later: readonly TypedChange[]): boolean {
  const first = later.findLast(({ kind }) => kind === 'domainWithhold' || kind === 'domainRelease');
  return first === undefined ? isServed({ withheld }) : first.kind === 'domainWithhold';
}

async function newestOf({ store }: OperationContext, domain: Domain): Promise<number> {
  const [newest] = await store.names.changesBefore(domain, Number.MAX_SAFE_INTEGER, 1);
  return (newest as TypedChange | undefined)?.seq ?? 0;
}

async function recordsThen(
  { store }: OperationContext,
  domain: Domain,
  changed: ReadonlyMap<string, ChangedRecord>,
  owner: OwnerKey,
  limit: number,
) {
  await nextTurn();
  const [there, since] = splitAt([...changed.values()], (record) => record?.owner === owner);
  const now = await store.names.recordsAt(domain, owner, limit + since);
  const same = now.filter(({ id }) => !changed.has(id));
  const records = [...same, ...there].sort((a, b) => (a.id < b.id ? -1 : 1));
  return records.slice(0, limit).map(namedRecord);
}

async function hadNamesBelow(
  context: OperationContext,
  domain: Domain,
  changed: ReadonlyMap<string, ChangedRecord>,
  owner: OwnerKey,
  getSignal: GetSignal,
): Promise<boolean | undefined> {
  await nextTurn();
  const [there, since] = splitAt([...changed.values()], (record) => record?.owner.endsWith(`.${owner}`));
  if (there.length > 0) return true;
  if (isSearched(domain)) {
    const now = await readBelow(context, domain, owner, since + 1, getSignal);
    return now.some(({ id }) => !changed.has(id));
  }
  if (!isServed(domain) || isHiddenNow(changed, owner)) return undefined;
  const isThere = await probeBelow(context, domain, owner, getSignal);
  // Those that are there now may all have come since.
  return isThere === true && since > 0 ? undefined : isThere;
}

/** Whether the nameserver cannot be asked which names exist there, because records have come since at the name, or a cut above it. */
function isHiddenNow(changed: ReadonlyMap<string, ChangedRecord>, owner: OwnerKey): boolean {
  return [...changed.values()].some(({ now }) => {
    if (now === null) return false;
    const isCut = now.type === rrType.NS || now.type === rrType.DNAME;
    const isAbove = now.owner === APEX || owner.endsWith(`.${now.owner}`);
    return now.owner === owner || (isCut && isAbove);
  });
}

/** Returns the records that were at a place then, and how many are there now that were not, or not as they are. */
function splitAt(
  changed: readonly ChangedRecord[],
  isThere: (record: OwnedRecord | null) => boolean | undefined,
): [there: OwnedRecord[], since: number] {
  const there = changed.flatMap(({ then }) => (then !== null && isThere(then) === true ? then : []));
  return [there, changed.filter(({ now }) => isThere(now) === true).length];
}
