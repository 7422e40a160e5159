import type { DomainJson, RecordJson } from '../contract/response-shapes.ts';

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
