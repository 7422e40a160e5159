import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';

/** One change in a domain; an update is one entry. */
export interface HistoryEntry {
  readonly seq: number;
  readonly serial: number;
  readonly atMs: number;
  readonly keyId: string;
  readonly address: string | null;
  readonly note: string | null;
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'domainCreate'
    | 'domainUpdate'
    | 'domainDelete'
    | 'domainRestore'
    | 'domainWithhold'
    | 'domainRelease';
  readonly old: DomainRecord | null;
  readonly new: DomainRecord | null;
  /** Present with domainUpdate. */
  readonly soa: { readonly before: SoaSettings; readonly after: SoaSettings } | null;
}
