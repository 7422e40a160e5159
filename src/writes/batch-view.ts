import type { Steps } from '../base/steps.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { LaterChanges } from './rewind-records.ts';

/**
 * What the deciding code sees of the store inside one batch: the committed rows with the batch's earlier writes on
 * top. The engine loads rows (lazily or ahead); reads and writes here are plain synchronous calls.
 */
export interface BatchView {
  findAccount(id: string): Account | undefined;
  findKey(id: string): ApiKey | undefined;
  accountCount(): number;
  putAccount(account: Account): void;
  putKey(key: ApiKey): void;
  deleteKey(id: string): void;

  /** Whoever owns it. */
  findDomain(name: ZoneName): Domain | undefined;
  /** Adds a domain; the store gives id, first serial and record count. */
  insertDomain(domain: Pick<Domain, 'accountId' | 'name' | 'createdAtSeconds'>): Domain;
  /** Changes SOA fields. */
  updateDomain(domain: Domain, fields: Partial<Pick<Domain, 'soaPrimary' | 'soaEmail'>>): Domain;
  /** Removes the domain with all its records. */
  deleteDomain(domain: Domain): void;

  /** One that the account deleted and whose records are still kept; without its former id the one deleted last. */
  findDeletedDomain(name: ZoneName, accountId: string, id?: number): DeletedDomain | undefined;
  /** A new domain with everything that the deleted one had; only of `MAX_ZONE_RECORDS` at most. */
  restoreDomain(deleted: DeletedDomain, createdAtSeconds: number): Steps<Domain>;
  /** What the history keeps of the domain after `serial`. */
  changesLater(domain: Domain, serial: number): LaterChanges;

  findRecord(domain: Domain, recordId: string): DomainRecord | undefined;
  /** All records at one owner; to be read before anything is written there. */
  recordsAt(domain: Domain, owner: OwnerKey): OwnerRecords;
  /** All its records, in creation order; only where there are no more than `MAX_ZONE_RECORDS`. */
  recordsOf(domain: Domain): readonly DomainRecord[];
  /** Adds, or replaces the one with the same id (whose owner may differ). */
  putRecord(domain: Domain, record: DomainRecord): void;
  deleteRecord(domain: Domain, record: DomainRecord): void;
}
