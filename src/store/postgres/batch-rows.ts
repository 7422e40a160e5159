import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { DeletedDomain, HashedDomain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { FoundOwner } from '../../writes/signing/signable-domain.ts';
import type { StoredQuota } from '../../writes/check-quotas.ts';
import type { KeptOutcome } from '../../writes/kept-outcome.ts';
import type { PastChange } from '../../writes/rewind-records.ts';
import { WantedPeople } from './postgres-people.ts';
import { WantedRows } from './wanted-rows.ts';

interface PlaceBehind {
  readonly domainId: number;
  readonly prefix: string;
  readonly id: string;
}

/** The rows of one batch, by kind. Keys of two parts are joined by `joinPlace`. */
export class BatchRows {
  readonly accounts = new WantedRows<Account>();
  readonly quotas = new WantedRows<StoredQuota>();
  /** By account id. */
  readonly nameservers = new WantedRows<readonly string[]>();
  /** By the text of a set and an account that does not count; see `joinRange`. */
  readonly takenSets = new WantedRows<true>();
  readonly keys = new WantedRows<ApiKey>();
  /** By the id of the user who made them. */
  readonly keysOfUser = new WantedRows<ApiKey[]>();
  /** By account id, and whether only managing ones are wanted; see `joinRange`. */
  readonly keysOfAccount = new WantedRows<ApiKey[]>();
  /** The ids of users, by account id. */
  readonly operators = new WantedRows<string[]>();
  /** By account id, the name before them, and their number; see `joinRange`. */
  readonly domainNamesAfter = new WantedRows<ZoneName[]>();
  readonly people = new WantedPeople();
  readonly domains = new WantedRows<HashedDomain>();
  readonly serials = new WantedRows<number>();
  /** By domain name and owner. */
  readonly owners = new WantedRows<DomainRecord[]>();
  /** By domain name and record id. */
  readonly records = new WantedRows<DomainRecord>();
  /** By domain id and owner, of domains that are deleted before the batch. */
  readonly deletedOwners = new WantedRows<DomainRecord[]>();
  /** By domain id and record id, as above. */
  readonly deletedRecords = new WantedRows<DomainRecord>();
  /** All records, by domain id. */
  readonly zones = new WantedRows<DomainRecord[]>();
  /** Rows of signatures: the nearest one before or after a place, and ranges; see `joinRange`. */
  readonly generatedBefore = new WantedRows<DomainRecord>();
  readonly generatedAfter = new WantedRows<DomainRecord>();
  readonly generatedBetween = new WantedRows<DomainRecord[]>();
  /** The place before which a row was found, by the key that asks for the row after it. */
  readonly placesBehind = new Map<string, PlaceBehind>();
  /** Rows that were found before or after a place, since `noteFoundRows`. */
  readonly foundRows: { readonly domainId: number; readonly record: DomainRecord }[] = [];
  /** By domain id, the place before them, and their number; see `joinRange`. */
  readonly ownersAfter = new WantedRows<FoundOwner[]>();
  /** By domain id. */
  readonly zoneKeys = new WantedRows<ZoneKey[]>();
  /** The domain deleted last, by account id and name. */
  readonly lastDeleted = new WantedRows<DeletedDomain>();
  /** By id. */
  readonly deletedDomains = new WantedRows<DeletedDomain>();
  /** The account that deleted a name last. */
  readonly holders = new WantedRows<string>();
  /** Whether another account has a domain below a name, by account id and name; the second counts held names, too. */
  readonly foreignBelow = new WantedRows<true>();
  readonly foreignOrHeldBelow = new WantedRows<true>();
  /** By domain id and serial. */
  readonly laterChanges = new WantedRows<{ changes: PastChange[]; reachesBack: boolean; isTooLong?: true }>();
  /** By API key id and idempotency key. */
  readonly outcomes = new WantedRows<KeptOutcome>();
}

/** Joins the two parts of a key; the first must not contain a space. */
export function joinPlace(name: string | number, place: OwnerKey | string | number): string {
  return `${name} ${place}`;
}

/** No id of a row has it. */
const RANGE_SEPARATOR = '\t';

/** Joins the parts of a key of a range of ids. */
export function joinRange(...parts: readonly (string | number)[]): string {
  return parts.join(RANGE_SEPARATOR);
}

/** Returns an array for each part of the keys. */
export function splitRanges(keys: readonly string[]): string[][] {
  const split = keys.map((key) => key.split(RANGE_SEPARATOR));
  return (split.at(0) ?? []).map((_, part) => split.map((parts) => parts[part]));
}
