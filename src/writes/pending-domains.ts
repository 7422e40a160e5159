import { assert } from '../base/assert.ts';
import { EMPTY_SUM } from '../base/hash-sum.ts';
import { laterSerial, nextSerial, serialLead } from '../dns/serial.ts';
import {
  served,
  unsigned,
  type DeletedDomain,
  type Domain,
  type HashedDomain,
  type ZoneName,
} from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import { isUnverified, type Claim } from '../model/claim.ts';
import { isServed, withoutReason, withReason, type WithholdReasons } from '../model/withholding.ts';
import type { BatchWrites, RecordWrite, RetiredSerial } from './batch-writes.ts';
import type { PendingUsage } from './pending-usage.ts';
import { PendingDomain } from './pending-domain.ts';
import type { PendingFeed } from './pending-feed.ts';
import type { RowReader } from './row-reader.ts';
import type { UndoLog } from './undo-log.ts';

/** A deleted domain's serial is kept a day longer than needed, so that setting the clock back by up to a day does no harm. */
const RETIRED_SERIAL_MARGIN_SECONDS = 86_400;

/** Which domains exist in a batch: created, changed, deleted and restored ones, and the serials that deleted ones leave. */
export class PendingDomains {
  private readonly rows: RowReader;
  private readonly usage: PendingUsage;
  private readonly feed: PendingFeed;
  private readonly undoLog: UndoLog;
  /** The domain that currently has the name; null if there is none. */
  private readonly byName = new Map<ZoneName, PendingDomain | null>();
  /** Every domain that was read or created, deleted ones included, in that order. */
  private readonly byId = new Map<number, PendingDomain>();
  private readonly retiredSerials = new Map<ZoneName, RetiredSerial>();
  /** Each deletion, in order; the domain may have been restored since. */
  private readonly deleted: DeletedDomain[] = [];
  /** Committed ones, by name. */
  private readonly holders = new Map<ZoneName, string | undefined>();
  private lastId: number;

  constructor(
    rows: RowReader,
    lastDomainId: number,
    usage: PendingUsage,
    feed: PendingFeed,
    undoLog: UndoLog,
  ) {
    this.rows = rows;
    this.lastId = lastDomainId;
    this.usage = usage;
    this.feed = feed;
    this.undoLog = undoLog;
  }

  get lastDomainId(): number {
    return this.lastId;
  }

  find(name: ZoneName): Domain | undefined {
    return this.pendingByName(name)?.current;
  }

  get(domain: Domain): PendingDomain {
    const pending = this.byId.get(domain.id);
    assert(pending !== undefined && !pending.isDeleted, `domain ${domain.name} was found in this batch`);
    return pending;
  }

  /** Finds a domain that this batch has read or created, deleted ones included. */
  findSeen(id: number): PendingDomain | undefined {
    return this.byId.get(id);
  }

  /** The first serial is the time of creation, or follows the last serial of a deleted domain of that name. */
  insert({
    accountId,
    name,
    createdAtSeconds,
  }: Pick<Domain, 'accountId' | 'name' | 'createdAtSeconds'>): Domain {
    assert(this.pendingByName(name) === null, `no domain ${name} yet`);
    const serial = this.firstSerial(name, createdAtSeconds);
    const id = ++this.lastId;
    const none = { soaPrimary: null, soaEmail: null, recordCount: 0, octets: 0 };
    const later = { ...unsigned, ...served, revisedSerial: serial };
    const created: Domain = { id, accountId, name, createdAtSeconds, serial, ...none, ...later };
    const row = { ...created, contentHash: EMPTY_SUM };
    const pending = new PendingDomain(row, 'created', this.rows, this.undoLog);
    this.byId.set(id, pending);
    this.undoLog.setEntry(this.byName, name, pending);
    this.undoLog.add(() => {
      this.byId.delete(id);
      this.lastId = id - 1;
    });
    this.usage.add(accountId, 'domains', 1);
    this.feed.addDomainPut(created, null);
    return created;
  }

  update(domain: Domain, fields: Partial<SoaSettings>): Domain {
    const pending = this.get(domain);
    const { soaPrimary, soaEmail } = pending.current;
    pending.raiseSerial();
    pending.change(fields);
    this.feed.addDomainPut(pending.current, { soaPrimary, soaEmail });
    return pending.current;
  }

  /** The feed says only that answers end or begin. */
  withhold(domain: Domain, withheld: WithholdReasons): Domain {
    const pending = this.get(domain);
    const isToBeServed = withheld.length === 0;
    const seq =
      isServed(pending.current) === isToBeServed ? null : this.feed.addDomainServing(domain, isToBeServed);
    // Followers learn of a new domain and of its state at once.
    pending.withhold(withheld, pending.origin === 'created' ? null : seq);
    // Nobody has vouched for it while it was withheld.
    const isAwaiting = isToBeServed && pending.current.awaitsDsSinceSeconds !== null;
    if (isAwaiting) pending.change({ awaitsDsSinceSeconds: this.nowSeconds });
    return pending.current;
  }

  /** A claim without a proof withholds the domain as unverified. @param claim null: nobody has to show control */
  claim(domain: Domain, claim: Claim | null): Domain {
    const pending = this.get(domain);
    const { withheld } = pending.current;
    pending.claim(claim);
    const change = isUnverified({ claim }) ? withReason : withoutReason;
    return this.withhold(domain, change(withheld, 'unverified'));
  }

  /**
   * @param isByService the author of the command has not asked for it, and is nobody of that account
   * @param deletedAtMs from when on its history and the time in which it can be restored are counted
   */
  delete(domain: Domain, isByService = false, deletedAtMs = this.feed.getAuthor().atMs): void {
    const pending = this.get(domain);
    pending.raiseSerial();
    pending.delete();
    this.undoLog.setEntry(this.byName, domain.name, null);
    const { accountId, recordCount, octets } = pending.current;
    this.usage.add(accountId, 'domains', -1);
    this.usage.add(accountId, 'records', -recordCount);
    this.usage.add(accountId, 'octets', -octets);
    // Its records are kept with the history, until it is restored or can no longer be.
    this.usage.add(accountId, 'historyOctets', octets);
    this.retireSerial(pending.current);
    this.feed.addDomainDelete(pending.current, isByService);
    this.undoLog.append(this.deleted, { ...pending.row, deletedAtMs });
  }

  /** Its records are still in the store, so that nothing has to be read or written but its row. */
  restore(deleted: DeletedDomain): Domain {
    const { name } = deleted;
    assert(this.pendingByName(name) === null, `no domain ${name} yet`);
    const pending = this.loadDeleted(deleted);
    const { nowSeconds } = this;
    const { accountId, recordCount, octets, serial } = pending.current;
    const isPresigned = pending.current.presignedUntilSeconds !== null;
    const later = laterSerial(this.firstSerial(name, nowSeconds), nextSerial(serial));
    pending.restore(isPresigned ? signedSerial(deleted) : later);
    // Its time begins again.
    if (isUnverified(pending.current)) pending.claim({ proof: null, sinceSeconds: nowSeconds });
    this.undoLog.setEntry(this.byName, name, pending);
    this.usage.add(accountId, 'domains', 1);
    this.usage.add(accountId, 'records', recordCount);
    this.usage.add(accountId, 'octets', octets);
    this.usage.add(accountId, 'historyOctets', -octets);
    this.feed.addDomainRestore(pending.current);
    return pending.current;
  }

  /** Whether no domain was served under the name after it was deleted. */
  isLastOfName({ name, serial }: DeletedDomain): boolean {
    const retired = this.retiredSerials.get(name)?.serial ?? this.rows.findRetiredSerial(name);
    return retired === undefined || retired === serial;
  }

  /** Finds a deleted domain of the account; without an id, the one of that name that was deleted last. */
  findDeleted(name: ZoneName, accountId: string, id?: number): DeletedDomain | undefined {
    const isWanted = (domain: DeletedDomain): boolean =>
      domain.name === name && domain.accountId === accountId && this.isStillDeleted(domain);
    const mine = this.deleted.findLast(
      (domain) => (id === undefined || domain.id === id) && isWanted(domain),
    );
    if (mine !== undefined) return mine;
    const found =
      id === undefined ? this.rows.findLastDeleted(name, accountId) : this.rows.findDeletedDomain(id);
    return found !== undefined && isWanted(found) ? found : undefined;
  }

  /** Finds the account that deleted the name last, if that domain can still be restored and was not unverified. */
  findHolder(name: ZoneName): string | undefined {
    const mine = this.deleted.findLast(
      (domain) => domain.name === name && !isUnverified(domain) && this.isStillDeleted(domain),
    );
    if (mine !== undefined) return mine.accountId;
    if (!this.holders.has(name)) this.holders.set(name, this.rows.findHolder(name));
    return this.holders.get(name);
  }

  /**
   * Whether the name encloses a domain of another account, as committed, or created, restored or verified in this batch. Those
   * that are unverified do not count.
   *
   * @param alsoHeld whether deleted domains that can still be restored count, too
   */
  hasForeignBelow(name: ZoneName, accountId: string, alsoHeld: boolean): boolean {
    const end = `.${name}`;
    for (const { committed, current, isDeleted } of this.byId.values()) {
      const isNew = (committed === null || isUnverified(committed)) && (alsoHeld || !isDeleted);
      if (isNew && !isUnverified(current) && current.accountId !== accountId && current.name.endsWith(end))
        return true;
    }
    return this.rows.hasForeignBelow(name, accountId, alsoHeld);
  }

  writes() {
    const touched = this.touched();
    const existing = touched.filter((pending) => !pending.isDeleted);
    return {
      deletedDomains: this.deletedRows(),
      restoredDomainIds: touched
        .filter(({ origin }) => origin === 'deleted')
        .map(({ current }) => current.id),
      createdDomains: existing.filter(({ committed }) => committed === null).map(({ row }) => row),
      changedDomains: existing.filter(({ committed }) => committed !== null).map(({ row }) => row),
      formerDomains: touched.flatMap(({ committed }) => committed ?? []),
      createdZoneKeys: touched.flatMap(({ keys }) => keys.created()),
      deletedZoneKeys: touched.flatMap(({ keys }) => keys.deleted()),
      retiredSerials: [...this.retiredSerials.values()],
    };
  }

  /** Those of deleted domains, too: they may be restored, with what this batch wrote to them before. */
  recordWrites(): RecordWrites {
    return recordWrites(this.touched());
  }

  /** The last deletion of each domain that the batch leaves deleted. */
  private deletedRows(): DeletedDomain[] {
    const byId = new Map(this.deleted.map((domain) => [domain.id, domain]));
    return [...byId.values()].filter((domain) => this.isStillDeleted(domain));
  }

  private isStillDeleted({ id }: DeletedDomain): boolean {
    return this.byId.get(id)?.isDeleted ?? true;
  }

  /** The time, or the serial after the last one of a deleted domain of that name. */
  private firstSerial(name: ZoneName, nowSeconds: number): number {
    const retired = this.retiredSerials.get(name)?.serial ?? this.rows.findRetiredSerial(name);
    const fromClock = nowSeconds >>> 0;
    return retired === undefined ? fromClock : laterSerial(fromClock, nextSerial(retired));
  }

  /** That of the current command. */
  private get nowSeconds(): number {
    return Math.floor(this.feed.getAuthor().atMs / 1000);
  }

  private loadDeleted(deleted: DeletedDomain): PendingDomain {
    const known = this.byId.get(deleted.id);
    if (known !== undefined) return known;
    const pending = new PendingDomain(asHosted(deleted), 'deleted', this.rows, this.undoLog);
    this.byId.set(deleted.id, pending);
    return pending;
  }

  /** Every domain that the batch has written to, deleted ones included. */
  touched(): PendingDomain[] {
    return Array.from(this.byId.values()).filter(({ isTouched }) => isTouched);
  }

  private pendingByName(name: ZoneName): PendingDomain | null {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const row = this.rows.findDomain(name);
    const pending = row === undefined ? null : new PendingDomain(row, 'hosted', this.rows, this.undoLog);
    this.byName.set(name, pending);
    if (pending !== null) this.byId.set(pending.current.id, pending);
    return pending;
  }

  /** A retired serial is needed until the clock has passed it: from then on, a first serial taken from the clock is later. */
  private retireSerial({ name, serial }: Domain): void {
    const { nowSeconds } = this;
    const neededUntilSeconds =
      nowSeconds + Math.max(0, serialLead(serial, nowSeconds)) + RETIRED_SERIAL_MARGIN_SECONDS;
    this.undoLog.setEntry(this.retiredSerials, name, { name, serial, neededUntilSeconds });
  }
}

/** The serial of the SOA record that another signer has signed: the deletion has raised it by one. */
function signedSerial({ serial }: DeletedDomain): number {
  return (serial - 1) >>> 0;
}

/** The row of the domain as it was before it was deleted. */
function asHosted(deleted: DeletedDomain): HashedDomain {
  const { id, accountId, name, createdAtSeconds, serial, soaPrimary, soaEmail } = deleted;
  const { recordCount, octets, contentHash, denial, renewAtSeconds } = deleted;
  const { withdrawnAtSeconds, awaitsDsSinceSeconds, presignedUntilSeconds, revisedSerial, signingWork } =
    deleted;
  const { withheld, withheldSeq, claim } = deleted;
  return {
    ...{ id, accountId, name, createdAtSeconds, serial, soaPrimary, soaEmail },
    ...{ recordCount, octets, contentHash, denial, renewAtSeconds, withdrawnAtSeconds },
    ...{
      awaitsDsSinceSeconds,
      presignedUntilSeconds,
      revisedSerial,
      signingWork,
      withheld,
      withheldSeq,
      claim,
    },
  };
}

type RecordWrites = Pick<BatchWrites, 'createdRecords' | 'changedRecords' | 'deletedRecords'>;

function recordWrites(domains: readonly PendingDomain[]): RecordWrites {
  const createdRecords: RecordWrite[] = [];
  const changedRecords: RecordWrite[] = [];
  const deletedRecords: RecordWrite[] = [];
  for (const pending of domains) {
    const domainId = pending.current.id;
    const add = ([before, after]: readonly [DomainRecord | null, DomainRecord | null]): void => {
      if (after !== null)
        (before === null ? createdRecords : changedRecords).push({ domainId, record: after });
      else if (before !== null) deletedRecords.push({ domainId, record: before });
    };
    for (const write of pending.recordWrites()) add(write);
    for (const write of pending.generatedWrites()) add(write);
  }
  return { createdRecords, changedRecords, deletedRecords };
}
