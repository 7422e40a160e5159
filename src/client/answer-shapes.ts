import type { DomainJson, RecordJson } from '../contract/response-shapes.ts';

/** What was made of a domain's records, or would be. */
export interface RecordsChangedJson {
  readonly created: readonly RecordJson[];
  readonly updated: readonly { readonly before: RecordJson; readonly after: RecordJson }[];
  readonly deleted: readonly RecordJson[];
  /** How many of those asked for were so already. */
  readonly unchanged: number;
}

/** Something in a zone that will not work as it was meant. */
export interface WarningJson {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'notice';
  /** Relative to the domain; `''` is the domain itself. */
  readonly name: string;
  readonly type?: string;
  /** Its id, where one record is meant. */
  readonly record?: string;
  readonly message: string;
}

export interface DryRunJson {
  readonly dry_run: true;
  readonly changes: RecordsChangedJson;
  readonly warnings: readonly WarningJson[];
  /** Of a master file. */
  readonly set_aside?: readonly SetAsideJson[];
}

/** A record of a master file that was not taken, and why. */
export interface SetAsideJson {
  readonly line?: number;
  readonly reason: string;
  readonly record: string;
}

/** What a master file changed. */
export interface ImportJson {
  readonly changes: RecordsChangedJson;
  readonly set_aside: readonly SetAsideJson[];
  readonly warnings: readonly WarningJson[];
}

/** One entry of a domain's history. */
export interface ChangeJson {
  readonly serial: number;
  readonly date: string;
  /** Label or id of the key, and the address it was used from; null where that is not known. */
  readonly key: string | null;
  readonly address: string | null;
  readonly note: string | null;
  readonly action: string;
  readonly old: RecordJson | null;
  readonly new: RecordJson | null;
}

/** One thing that is wrong with one part of a request. */
export interface ProblemJson {
  readonly list?: 'delete' | 'update' | 'create';
  readonly index?: number;
  readonly field?: string;
  /** In a master file, from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
}

export interface DeletedDomainJson extends DomainJson {
  readonly date_deleted: string;
}

/** A record of any of the account's domains. */
export interface FoundRecordJson extends RecordJson {
  readonly domain: string;
}

/** The SOA fields that are the owner's. */
export interface SoaJson {
  readonly nsprimary: string;
  readonly email: string;
}

/** The key's own account. */
export interface OwnAccountJson {
  readonly name: string;
  readonly email: string;
  readonly acls: readonly string[];
}
