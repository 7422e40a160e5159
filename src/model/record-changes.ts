import type { RecordPatch } from './record-patch.ts';
import type { DomainRecord, SentRecord } from './record.ts';

/** Many changes of one domain, to be made in this order, all or none. */
export interface RecordChanges {
  /** Record ids. */
  readonly deletes: readonly string[];
  readonly updates: readonly { readonly id: string; readonly patch: RecordPatch }[];
  readonly creates: readonly SentRecord[];
}

/** What was made of a domain's records, or what would be. */
export interface RecordsChanged {
  readonly created: readonly DomainRecord[];
  readonly updated: readonly { readonly before: DomainRecord; readonly after: DomainRecord }[];
  readonly deleted: readonly DomainRecord[];
  /** Of those that were asked for, how many were so already. */
  readonly unchanged: number;
  /** Where SOA fields changed. */
  readonly soa?: { readonly before: SoaSettings; readonly after: SoaSettings };
}

/** A domain's SOA fields as its owner set them; null: the service's default. */
export interface SoaSettings {
  readonly soaPrimary: string | null;
  readonly soaEmail: string | null;
}

/** True where nothing at all is different. */
export function isNoChange({ created, updated, deleted, soa }: RecordsChanged): boolean {
  return created.length === 0 && updated.length === 0 && deleted.length === 0 && soa === undefined;
}
