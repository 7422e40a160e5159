import type { Account, ApiKey } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';

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
}
