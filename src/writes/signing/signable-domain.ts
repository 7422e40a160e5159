import type { Denial } from '../../dns/proven-types.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { Domain } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { SigningWork } from '../../model/signing-work.ts';
import type { GeneratedRows } from './generated-rows.ts';

/** A domain in a batch as signing sees it: its records with the writes of the batch, and the rows that signing makes. */
export interface SignableDomain {
  readonly current: Domain;
  readonly generated: GeneratedRows;
  readonly keys: { all(): readonly ZoneKey[]; isChanged(): boolean };
  /** How the domain was signed before the batch, and the work on its signatures. */
  readonly storedDenial: Denial | null;
  readonly storedWork: SigningWork | null;
  /** Generated rows that are removed: their owners by their ids. */
  readonly dropped: ReadonlyMap<string, OwnerKey>;
  /** Types whose signatures are made again, by owner; without any, only what is missing, or is of other keys. */
  readonly renewals: ReadonlyMap<OwnerKey, ReadonlySet<number>>;
  /** Rows of another signer, which take the place of all generated ones; undefined: there are no new ones. */
  readonly presignedRows: readonly DomainRecord[] | undefined;
  /**
   * Whether none of the stored generated rows fits: signing was switched on or off, or other keys sign the zone. False for
   * a domain whose rows are brought in line in slices.
   */
  isSignedOtherwise(): boolean;
  /** The customer's records of one owner; `generated` has learned its rows afterwards. */
  recordsAt(owner: OwnerKey): SignableRecords;
  allRecords(): readonly DomainRecord[];
  recordWrites(): Iterable<readonly [before: DomainRecord | null, after: DomainRecord | null]>;
}

export interface SignableRecords {
  readonly all: readonly DomainRecord[];
  /** The number of records of a type. */
  measure(type: number): { readonly records: number };
  types(): Iterable<number>;
  findOfType(type: number): DomainRecord | undefined;
}

/** A domain whose signatures are renewed. */
export interface RenewableDomain extends Pick<SignableDomain, 'current' | 'generated' | 'keys'> {
  /** Notes signatures of an owner that are made again with the batch. */
  renew(owner: OwnerKey, types: ReadonlySet<number>): void;
  raiseServedSerial(): void;
  change(fields: Partial<Domain>): void;
}

/** An owner of committed rows. */
export interface FoundOwner {
  readonly owner: OwnerKey;
  /** It has no generated row. */
  readonly isBare: boolean;
}

/** A domain whose generated rows are made or removed in slices. */
export interface WalkedDomain extends RenewableDomain, Pick<SignableDomain, 'keys' | 'recordsAt'> {
  /** Notes a generated row that is removed with the batch. */
  dropLater(id: string, owner: OwnerKey): void;
  /** Reads the records of owners together that `recordsAt` is about to return one by one. */
  readOwners(owners: readonly OwnerKey[]): void;
  /** The owners of committed records after a place in the order of their text, at most `limit`. */
  ownersAfter(place: string, limit: number): readonly FoundOwner[];
}
