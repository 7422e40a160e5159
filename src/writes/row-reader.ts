import type { Account, ApiKey } from '../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { LaterChanges } from './rewind-records.ts';
import type { KeptOutcome } from './kept-outcome.ts';

/**
 * The committed rows that a batch needs, as an engine hands them to `PendingBatch`. Every call is made at most once a
 * batch for the same arguments.
 */
export interface RowReader {
  findAccount(id: string): Account | undefined;
  findKey(id: string): ApiKey | undefined;
  findDomain(name: ZoneName): Domain | undefined;
  findRecord(domainId: number, recordId: string): DomainRecord | undefined;
  /** In any order. */
  recordsAt(domainId: number, owner: OwnerKey): readonly DomainRecord[];
  /** The last serial of a deleted domain of that name, as long as the clock has not passed it. */
  findRetiredSerial(name: ZoneName): number | undefined;
  /** All records, also of a deleted domain, in any order. */
  recordsOf(domainId: number): readonly DomainRecord[];
  /** Of that name the one deleted last. */
  findLastDeleted(name: ZoneName, accountId: string): DeletedDomain | undefined;
  /** By its former id, whoever deleted it. */
  findDeletedDomain(id: number): DeletedDomain | undefined;
  /** `reachesBack`: an entry of that serial or of one before is there. */
  changesLater(domainId: number, serial: number): LaterChanges;
  findKeptOutcome(keyId: string, idempotencyKey: string): KeptOutcome | undefined;
}
