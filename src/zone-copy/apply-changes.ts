import { assert } from '../base/assert.ts';
import { HashSum } from '../base/hash-sum.ts';
import type { ZoneName } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import { addRecord, subtractRecord } from '../model/zone-hash.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { isReplacement } from '../writes/zone-replacement.ts';
import type { FeedBatch, FeedChange } from '../store/postgres/feed-reader.ts';
import type { AwaitedZones } from './awaited-zones.ts';
import type { CopiedZone, CopiedZones } from './copied-zones.ts';

/** A change in the feed does not fit the content of the copy, so everything has to be copied again. */
export class CopyMismatch extends Error {
  override readonly name = 'CopyMismatch';
}

/** A newer version wrote a change that this version cannot apply. */
export class UnknownChange extends Error {
  override readonly name = 'UnknownChange';
}

/** The effect of some changes on one name. */
export interface TouchedZone {
  readonly name: ZoneName;
  readonly before: CopiedZone | undefined;
  now: CopiedZone | undefined;
  /** Owners of `now` whose records changed. */
  readonly owners: Set<OwnerKey>;
}

/** The rows that changes are applied to. */
export interface CopiedRows {
  readonly zones: CopiedZones;
  readonly awaited: AwaitedZones;
}

export interface Applied {
  readonly touched: readonly TouchedZone[];
  /** Changes of awaited zones, which were not applied. */
  readonly heldBack: readonly FeedChange[];
}

/**
 * Applies the changes of whole batches to the copy, inside the transaction of the caller. A domain whose changes were left out
 * of a batch, or that was restored, is awaited from there on.
 *
 * @throws UnknownChange; CopyMismatch or a constraint error of SQLite if the copy does not fit the feed
 */
export function applyBatches({ zones, awaited }: CopiedRows, batches: readonly FeedBatch[]): Applied {
  const touched = new Map<ZoneName, TouchedZone>();
  const heldBack: FeedChange[] = [];
  for (const { skipped, changes } of batches) {
    for (const { domain, domainId, seq } of skipped) awaited.add({ name: domain, sourceId: domainId, seq });
    for (const change of changes) {
      if (!isKnown(change)) throw new UnknownChange(unknownKind(change));
      if (change.kind === 'domainRestore') {
        awaited.add({ name: change.domain, sourceId: change.domainId, seq: change.seq });
        continue;
      }
      const waiting = awaited.find(change.domain);
      if (waiting === undefined) applyChange(zones, touch(zones, touched, change.domain), change);
      else if (waiting.sourceId === change.domainId && change.kind === 'domainDelete') {
        awaited.remove(change.domain);
        removeDomain(zones, touch(zones, touched, change.domain));
      } else {
        heldBack.push(change);
        withholdFormer(zones, touched, change);
      }
    }
  }
  const all = [...touched.values()];
  for (const { now } of all) if (now !== undefined) zones.show(now);
  return { touched: all, heldBack };
}

/** A domain that is withheld is not served as it was until its content is fetched either. */
function withholdFormer(zones: CopiedZones, touched: Map<ZoneName, TouchedZone>, change: FeedChange): void {
  if (change.kind !== 'domainWithhold') return;
  const zone = touch(zones, touched, change.domain);
  if (zone.now?.sourceId === change.domainId) zone.now = { ...zone.now, isWithheld: true };
}

/**
 * Applies changes of one domain to records that no reader sees yet, inside the transaction of the caller.
 *
 * @throws as `applyBatches`
 */
export function applyUnseen(
  zones: CopiedZones,
  unseen: CopiedZone,
  changes: readonly FeedChange[],
): CopiedZone {
  const zone: TouchedZone = { name: unseen.head.name, before: undefined, now: unseen, owners: new Set() };
  for (const change of changes) applyChange(zones, zone, change);
  assert(zone.now !== undefined, 'a domain that is deleted is no longer awaited');
  return zone.now;
}

function touch(zones: CopiedZones, touched: Map<ZoneName, TouchedZone>, name: ZoneName): TouchedZone {
  const known = touched.get(name);
  if (known !== undefined) return known;
  const before = zones.find(name);
  const now = before && { ...before, content: before.content?.copy() };
  const zone = { name, before, now, owners: new Set<OwnerKey>() };
  touched.set(name, zone);
  return zone;
}

/** Records up to which a zone is compared with its hash at each change: a tenth of a millisecond. */
const CHECKED_AT_CHANGE_RECORDS = 100;

/**
 * Builds the zone updates of the changes from the current rows. A damaged zone has none: what is in memory is served on
 * until the zone has been copied again.
 *
 * @param isDamaged whether the rows of a zone were found wrong before
 * @param onDamaged receives those that are found wrong now
 */
export function touchedUpdates(
  zones: CopiedZones,
  touched: readonly TouchedZone[],
  isDamaged: (name: ZoneName) => boolean,
  onDamaged: (name: ZoneName) => void,
): ZoneUpdate[] {
  return touched.flatMap(({ name, before, now, owners }) => {
    const updates: ZoneUpdate[] = [];
    if (now !== undefined && !isDamaged(name) && isWrong(zones, now)) onDamaged(name);
    const [was, served] = [asServed(before), asServed(now)];
    if (served !== undefined && isDamaged(name)) return updates;
    const isSame = was?.head.domainId === served?.head.domainId;
    if (was !== undefined && !isSame) updates.push({ kind: 'deleted', domainId: was.head.domainId, name });
    if (served === undefined) return updates;
    const { head, recordCount } = served;
    const isReleased = before?.isWithheld === true;
    if (isReleased || isReplacement(owners.size, recordCount))
      return [...updates, { kind: 'replaced', head }];
    const contents = Array.from(owners, (owner) => ({
      owner,
      records: zones.recordsAt(head.domainId, owner),
    }));
    return [...updates, { kind: 'changed', head, created: !isSame, owners: contents }];
  });
}

function asServed(zone: CopiedZone | undefined): CopiedZone | undefined {
  return zone?.isWithheld === true ? undefined : zone;
}

function isWrong(zones: CopiedZones, { head, recordCount, content }: CopiedZone): boolean {
  if (content === undefined || recordCount > CHECKED_AT_CHANGE_RECORDS) return false;
  const sum = new HashSum();
  const records = zones.recordsAfter(head.domainId, '', CHECKED_AT_CHANGE_RECORDS + 1);
  for (const record of records) addRecord(sum, record);
  return sum.toString() !== content.toString();
}

function applyChange(zones: CopiedZones, zone: TouchedZone, change: FeedChange): void {
  switch (change.kind) {
    case 'domainPut':
      putDomain(zones, zone, change);
      return;
    case 'domainDelete':
      getZone(zone, change);
      removeDomain(zones, zone);
      return;
    case 'recordPut':
    case 'recordDelete':
      changeRecord(zones, zone, change);
      return;
    case 'domainWithhold':
    case 'domainRelease':
      zone.now = { ...getZone(zone, change), isWithheld: change.kind === 'domainWithhold' };
      return;
    case 'domainRestore':
      throw new CopyMismatch(
        `change ${change.seq} restores ${change.domain}, whose content is being fetched`,
      );
  }
}

const knownKinds: readonly string[] = [
  'domainPut',
  'domainDelete',
  'domainRestore',
  'domainWithhold',
  'domainRelease',
  'recordPut',
  'recordDelete',
];

function isKnown({ kind }: FeedChange): boolean {
  return knownKinds.includes(kind);
}

function changeRecord(zones: CopiedZones, zone: TouchedZone, change: FeedChange): void {
  const now = getZone(zone, change);
  const { head, recordCount, content } = now;
  const { record, serial } = change;
  assert(record !== null, 'a change of a record carries it');
  const isPut = change.kind === 'recordPut';
  // The hash is that of what was written, whatever is in the copy: damage shows as a difference.
  if (content !== undefined) (isPut ? addRecord : subtractRecord)(content, record);
  if (isPut) zones.putRecord(head.domainId, record);
  else if (!zones.dropRecord(head.domainId, record.id)) throw mismatch(change, 'without that record');
  zone.owners.add(record.owner);
  zone.now = { ...now, recordCount: recordCount + (isPut ? 1 : -1), head: { ...head, serial } };
}

function putDomain(zones: CopiedZones, zone: TouchedZone, change: FeedChange): void {
  assert(change.head !== null, 'a change of a domain carries its head');
  // A batch may delete and create a name; a domain that is put twice is one whose SOA fields changed.
  const isOther = zone.now !== undefined && zone.now.sourceId !== change.domainId;
  if (isOther) throw mismatch(change, 'with another domain of that name');
  const domainId = zone.now?.head.domainId ?? zones.newId();
  const recordCount = zone.now?.recordCount ?? 0;
  const content = zone.now === undefined ? new HashSum() : zone.now.content;
  const accountId = change.accountId === '' ? (zone.now?.accountId ?? '') : change.accountId;
  zone.now = {
    sourceId: change.domainId,
    accountId,
    recordCount,
    head: { ...change.head, domainId },
    content,
    isWithheld: zone.now?.isWithheld ?? false,
  };
}

function removeDomain(zones: CopiedZones, zone: TouchedZone): void {
  if (zone.now !== undefined) zones.hide(zone.now.head.domainId);
  zone.now = undefined;
  zone.owners.clear();
}

function getZone({ now }: TouchedZone, change: FeedChange): CopiedZone {
  if (now === undefined) throw mismatch(change, 'without that domain');
  if (now.sourceId !== change.domainId) throw mismatch(change, 'with another domain of that name');
  return now;
}

function mismatch({ seq, kind, domain }: FeedChange, what: string): CopyMismatch {
  return new CopyMismatch(`change ${seq} (${kind} in ${domain}) meets a copy ${what}`);
}

function unknownKind({ seq, kind, domain }: FeedChange): string {
  return `a newer version writes to the database: this one does not know change ${seq} (${kind} in ${domain}), start the newer program`;
}
