import type { FoundOwner } from './signing/signable-domain.ts';
import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { DeletedDomain, HashedDomain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { StoredQuota } from './check-quotas.ts';
import type { LaterChanges } from './rewind-records.ts';
import type { KeptOutcome } from './kept-outcome.ts';
import type { FindPeople } from './people-rows.ts';

/** Keys of one account that a batch reads at once: some milliseconds. */
export const KEYS_AT_ONCE = 200;

/**
 * Gives a `PendingBatch` the committed rows that it needs; every engine implements it. A batch makes each call at most once
 * with the same arguments.
 */
export interface RowReader {
  findAccount(id: string): Account | undefined;
  findKey(id: string): ApiKey | undefined;
  /** The keys that a user has made, in any account. */
  findKeysOfUser(userId: string): readonly ApiKey[];
  /** Keys of an account by id, at most `KEYS_AT_ONCE`. @param onlyManaging only those that may manage accounts */
  findKeysOfAccount(accountId: string, onlyManaging: boolean): readonly ApiKey[];
  /** The names of domains of an account that come after `after`, in order, at most `limit`. */
  domainNamesAfter(accountId: string, after: string, limit: number): readonly ZoneName[];
  findPeople: FindPeople;
  /** The ids of users of an account who are operators, at most `MAX_ACCOUNT_USERS`. */
  operatorsOf(accountId: string): readonly string[];
  findQuota(accountId: string): StoredQuota | undefined;
  /** The nameservers of its own that an account was given, sorted. */
  findNameservers(accountId: string): readonly string[] | undefined;
  /** Whether another account was given just these; may be asked again. @param names sorted */
  isNameserverSetTaken(names: readonly string[], accountId: string): boolean;
  findDomain(name: ZoneName): HashedDomain | undefined;
  findRecord(domainId: number, recordId: string): DomainRecord | undefined;
  /** In any order, generated rows as well. */
  recordsAt(domainId: number, owner: OwnerKey): readonly DomainRecord[];
  /** Those of many owners: a third of the work of as many calls. */
  recordsAtOwners(domainId: number, owners: readonly OwnerKey[]): readonly DomainRecord[];
  /** The keys of a hosted or deleted domain. */
  zoneKeys(domainId: number): readonly ZoneKey[];
  /** The last serial of a deleted domain of that name, as long as the clock has not passed it. */
  findRetiredSerial(name: ZoneName): number | undefined;
  /** The owners of a domain's records after a place in the order of their text, each once, at most `limit`. */
  ownersAfter(domainId: number, place: string, limit: number): readonly FoundOwner[];
  /** All records and generated rows, also of a deleted domain, in any order. */
  recordsOf(domainId: number): readonly DomainRecord[];
  /**
   * The generated row (see `generated-row.ts`) whose id begins with `prefix` and is the greatest before `id`.
   *
   * @param prefix `~s` or `~h`
   * @param id begins with `prefix`
   */
  generatedBefore(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  /** Likewise the one whose id is the least after `id`. */
  generatedAfter(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  /** The generated rows with `from` ≤ id < `to`, in order, at most `limit`. */
  generatedBetween(domainId: number, from: string, to: string, limit: number): readonly DomainRecord[];
  /** The domain of that name that the account deleted last. */
  findLastDeleted(name: ZoneName, accountId: string): DeletedDomain | undefined;
  /** Finds it for any account. */
  findDeletedDomain(id: number): DeletedDomain | undefined;
  /** The account that deleted the domain of that name last, if that one can still be restored and was not unverified. */
  findHolder(name: ZoneName): string | undefined;
  /**
   * Whether a domain of another account that is not unverified is below the name; may be asked again.
   *
   * @param alsoHeld whether deleted domains that can still be restored count, too
   */
  hasForeignBelow(name: ZoneName, accountId: string, alsoHeld: boolean): boolean;
  /** `reachesBack` is true if the history contains an entry of that serial or an earlier one. */
  changesLater(domainId: number, serial: number): LaterChanges;
  findKeptOutcome(keyId: string, idempotencyKey: string): KeptOutcome | undefined;
}
