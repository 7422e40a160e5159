import type { DnsSecState } from './domain.ts';
import type { RecordPatch } from './record-patch.ts';
import type { DomainRecord, SentRecord } from './record.ts';

/** Changes of one domain: deletes, updates and creates, made in this order, all or none. */
export interface RecordChanges {
  /** Record ids. */
  readonly deletes: readonly string[];
  readonly updates: readonly { readonly id: string; readonly patch: RecordPatch }[];
  readonly creates: readonly SentRecord[];
}

/** The changes that a write made in a domain, or would make. */
export interface RecordsChanged {
  readonly created: readonly DomainRecord[];
  readonly updated: readonly { readonly before: DomainRecord; readonly after: DomainRecord }[];
  readonly deleted: readonly DomainRecord[];
  /** The number of records in the request that were already so. */
  readonly unchanged: number;
  /** Present if SOA fields changed. */
  readonly soa?: { readonly before: SoaSettings; readonly after: SoaSettings };
  /** Present in dry runs if signing would be switched on or off. */
  readonly dnsSec?: { readonly before: DnsSecState; readonly after: DnsSecState };
  /** Only of an import; absent from outcomes that an earlier version kept. */
  readonly otherwise?: StoredOtherwise;
}

/** Some of the records of an import, by their indexes among those that were sent. */
export interface SentIndexes {
  readonly count: number;
  /** The first few. */
  readonly first: readonly number[];
}

/** Records of an import that are stored otherwise than they were sent, because they exist already or were sent before. */
export interface StoredOtherwise {
  /** The same record was sent before. */
  readonly repeated: SentIndexes;
  /**
   * The existing record has other capital letters: in the names of its data, which DNS serves in their case, or in the owner
   * name, if there are some in the one that was sent.
   */
  readonly respelled: SentIndexes;
  /** The existing record is shown in another way, even if DNS serves the same: contains `respelled`. */
  readonly reshown: SentIndexes;
}

/** The SOA fields that are set for a domain; null stands for the service's default. */
export interface SoaSettings {
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
}

export function isNoChange({ created, updated, deleted, soa }: RecordsChanged): boolean {
  return created.length === 0 && updated.length === 0 && deleted.length === 0 && soa === undefined;
}
