// Makes the copy equal to a snapshot of the database, by walking through both in the order of names:
//
//   a page of domains ─▶ remove domains missing in it ─▶ read their records in slices ─▶ replace domains that differ
//
// Serials are not trusted: after a failover the same serial may mean different content, and after lost history the two cases
// cannot be distinguished. So all records are read and compared, unless hashes are trusted, and only differences are written. Memory is bounded by a
// page of domains and a slice of records. Readers never see a partly replaced zone.
import { HashSum } from '../base/hash-sum.ts';
import type { ZoneName } from '../model/domain.ts';
import { addRecord } from '../model/zone-hash.ts';
import type { ZoneHead, ZoneUpdate } from '../model/zone-update.ts';
import type { FeedSnapshot, SnapshotHead } from '../store/postgres/feed-reader.ts';
import { AFTER_ALL_NAMES, type CopiedRecord, type CopiedZone } from './copied-zones.ts';
import type { CopyWriter } from './copy-writer.ts';

/** Domains in a page, a message of some 100 KB. */
const DOMAINS_AT_ONCE = 1000;

/** Records read and written together: some 20 ms, and 8 MB with TXT records of 4096 octets. */
export const RECORDS_AT_ONCE = 2000;

export interface SnapshotCopying {
  readonly snapshot: FeedSnapshot;
  readonly copy: CopyWriter;
  /** Whether a zone with the hash that the database knows is taken for equal, without reading its records. */
  readonly trustsHashes: boolean;
  /** Zones whose rows in the copy are wrong, whatever they look like: they are written again. */
  readonly damaged: ReadonlySet<ZoneName>;
  /** Called after each commit; copying continues when it resolves. */
  readonly publish: (updates: readonly ZoneUpdate[]) => Promise<void>;
}

export interface CopyingFigures {
  domains: number;
  replaced: number;
  removed: number;
}

/** The position is the caller's to set, before (to null) and after. */
export async function copySnapshot(copying: SnapshotCopying): Promise<CopyingFigures> {
  const figures = { domains: 0, replaced: 0, removed: 0 };
  for (let after = '', isLast = false; !isLast;) {
    const heads = await copying.snapshot.domainsAfter(after, DOMAINS_AT_ONCE);
    isLast = heads.length < DOMAINS_AT_ONCE;
    const upTo = isLast ? AFTER_ALL_NAMES : (heads.at(-1)?.name ?? AFTER_ALL_NAMES);
    figures.removed += await removeOthers(copying, after, upTo, new Set(heads.map(({ name }) => name)));
    figures.replaced += await copyDomains(
      copying,
      heads.filter((head) => !isTrusted(copying, head)),
    );
    figures.domains += heads.length;
    after = upTo;
  }
  return figures;
}

/** Removes what stands between two names here and not there. */
async function removeOthers(
  { copy, publish }: SnapshotCopying,
  after: string,
  upTo: string,
  there: ReadonlySet<string>,
): Promise<number> {
  let removed = 0;
  for (let from = after, isLast = false; !isLast;) {
    const here = copy.zones.namesBetween(from, upTo, DOMAINS_AT_ONCE);
    const gone = here.filter(([name]) => !there.has(name));
    if (gone.length > 0) {
      copy.inTransaction(() => gone.forEach(([, id]) => copy.zones.hide(id)));
      await publish(gone.map(([name, domainId]) => ({ kind: 'deleted', domainId, name })));
    }
    removed += gone.length;
    isLast = here.length < DOMAINS_AT_ONCE;
    from = here.at(-1)?.[0] ?? upTo;
  }
  return removed;
}

function isTrusted(copying: SnapshotCopying, source: SnapshotHead): boolean {
  const { trustsHashes, damaged, copy } = copying;
  if (!trustsHashes || source.contentHash === null || damaged.has(source.name)) return false;
  const here = copy.zones.find(source.name);
  if (here === undefined || here.content?.toString() !== source.contentHash) return false;
  if (here.sourceId !== source.domainId || here.accountId !== source.accountId) return false;
  if (here.isWithheld !== source.isWithheld) return false;
  return isSameHead({ ...here.head, domainId: source.domainId }, source);
}

/** As many domains a transaction as a slice holds whole; one that no slice holds goes by itself. */
export async function copyDomains(copying: SnapshotCopying, heads: readonly SnapshotHead[]): Promise<number> {
  const { snapshot, copy, publish } = copying;
  let replaced = 0;
  let rest = heads.toSorted((a, b) => a.domainId - b.domainId);
  while (rest.length > 0) {
    const ids = rest.map(({ domainId }) => domainId);
    const rows = await snapshot.recordsOf(ids, null, RECORDS_AT_ONCE);
    const cutId = rows.length < RECORDS_AT_ONCE ? Infinity : (rows.at(-1)?.domainId ?? Infinity);
    const whole = rest.filter(({ domainId }) => domainId < cutId);
    if (whole.length === 0) {
      replaced += await copyLargeDomain(copying, rest[0]);
      rest = rest.slice(1);
      continue;
    }
    const updates = copy.inTransaction(() => putSmallDomains(copying, whole, rows));
    replaced += updates.length;
    await publish(updates);
    rest = rest.slice(whole.length);
  }
  return replaced;
}

function putSmallDomains(
  { copy, damaged }: SnapshotCopying,
  heads: readonly SnapshotHead[],
  rows: Awaited<ReturnType<FeedSnapshot['recordsOf']>>,
): ZoneUpdate[] {
  const byDomain = new Map(heads.map(({ domainId }): [number, CopiedRecord[]] => [domainId, []]));
  for (const { domainId, record } of rows) byDomain.get(domainId)?.push(record);
  return heads.flatMap((source) => {
    const records = byDomain.get(source.domainId) ?? [];
    const here = copy.zones.find(source.name);
    const id = here?.head.domainId;
    const recordCount = records.length;
    const content = new HashSum();
    for (const record of records) addRecord(content, record);
    const isSame =
      id !== undefined &&
      here?.content !== undefined &&
      !damaged.has(source.name) &&
      isEqual(copy.zones.recordsAfter(id, '', RECORDS_AT_ONCE), records);
    if (isSame) return showAs(copy, source, here, { id, recordCount, content });
    const newId = copy.zones.newId();
    for (const record of records) copy.zones.putRecord(newId, record);
    return showAs(copy, source, here, { id: newId, recordCount, content });
  });
}

/** Compares slice by slice first, because writing a million records costs more than reading them twice. */
async function copyLargeDomain(copying: SnapshotCopying, source: SnapshotHead): Promise<number> {
  const { copy, publish, damaged } = copying;
  const here = copy.zones.find(source.name);
  const isWhole = here?.content !== undefined && !damaged.has(source.name);
  const isSame = isWhole && (await hasSameRecords(copying, source, here));
  const content = isSame
    ? { id: here.head.domainId, recordCount: here.recordCount, content: here.content }
    : await copyHidden(copying, source);
  const updates = copy.inTransaction(() => {
    if (!isSame) copy.zones.keep(content.id);
    return showAs(copy, source, here, content);
  });
  await publish(updates);
  return updates.length;
}

async function hasSameRecords(
  copying: SnapshotCopying,
  source: SnapshotHead,
  here: CopiedZone,
): Promise<boolean> {
  const id = here.head.domainId;
  const content = new HashSum();
  let last = '';
  for await (const records of recordSlices(copying.snapshot, source)) {
    for (const record of records) addRecord(content, record);
    if (!isEqual(copying.copy.zones.recordsAfter(id, last, records.length), records)) return false;
    last = records.at(-1)?.id ?? last;
  }
  if (content.toString() !== here.content?.toString()) return false;
  return copying.copy.zones.recordsAfter(id, last, 1).length === 0;
}

/** Writes the records under a new id; after a crash they are purged. */
async function copyHidden({ snapshot, copy }: SnapshotCopying, source: SnapshotHead): Promise<Content> {
  const id = copy.zones.newId();
  const content = new HashSum();
  let recordCount = 0;
  copy.inTransaction(() => copy.zones.hide(id));
  for await (const records of recordSlices(snapshot, source)) {
    copy.inTransaction(() => records.forEach((record) => copy.zones.putRecord(id, record)));
    for (const record of records) addRecord(content, record);
    recordCount += records.length;
  }
  return { id, recordCount, content };
}

async function* recordSlices(snapshot: FeedSnapshot, { domainId }: SnapshotHead) {
  for (let recordId = '', isLast = false; !isLast;) {
    const rows = await snapshot.recordsOf([domainId], { domainId, recordId }, RECORDS_AT_ONCE);
    isLast = rows.length < RECORDS_AT_ONCE;
    recordId = rows.at(-1)?.record.id ?? recordId;
    yield rows.map(({ record }) => record);
  }
}

/** Reads the records under an id of the copy. */
interface Content {
  readonly id: number;
  readonly recordCount: number;
  readonly content: HashSum;
}

/** Makes the records under that id the content of the domain; publishes no update if nothing changes. */
function showAs(
  { zones }: CopyWriter,
  source: SnapshotHead,
  here: CopiedZone | undefined,
  { id, recordCount, content }: Content,
): ZoneUpdate[] {
  const { name, serial, soaPrimary, soaEmail, accountId, isWithheld } = source;
  const head = { domainId: id, name, serial, soaPrimary, soaEmail };
  const isSame = here !== undefined && isSameHead(here.head, head);
  const isUnchanged =
    isSame &&
    here.sourceId === source.domainId &&
    here.accountId === accountId &&
    here.isWithheld === isWithheld &&
    here.recordCount === recordCount &&
    here.content?.toString() === content.toString();
  if (isUnchanged) return [];
  if (here !== undefined && here.head.domainId !== id) zones.hide(here.head.domainId);
  zones.show({ head, recordCount, sourceId: source.domainId, content, accountId, isWithheld });
  if (isWithheld)
    return here === undefined || here.isWithheld ? [] : [{ kind: 'deleted', domainId: id, name }];
  return isSame && !here.isWithheld ? [] : [{ kind: 'replaced', head }];
}

function isSameHead(a: ZoneHead, b: ZoneHead): boolean {
  return (
    a.domainId === b.domainId &&
    a.serial === b.serial &&
    a.soaPrimary === b.soaPrimary &&
    a.soaEmail === b.soaEmail
  );
}

function isEqual(here: readonly CopiedRecord[], there: readonly CopiedRecord[]): boolean {
  return here.length === there.length && here.every((record, index) => isSameRecord(record, there[index]));
}

function isSameRecord(a: CopiedRecord, b: CopiedRecord | undefined): boolean {
  return (
    a.id === b?.id &&
    a.owner === b.owner &&
    a.type === b.type &&
    a.ttl === b.ttl &&
    Buffer.compare(a.rdata, b.rdata) === 0
  );
}
