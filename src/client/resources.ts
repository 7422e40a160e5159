/** What the interface shows of each resource (contract.md rules 14, 19; accounts and keys for administrative keys). */
export interface DomainResource {
  readonly domain: string;
  readonly date_created: string;
  readonly dns_sec: 'enabled' | 'disabled';
}

export interface RecordResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly priority: number;
  /** Seconds. */
  readonly ttl: number;
}

export interface AccountResource {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly date_created: string;
}

export type KeyScope = 'admin' | 'full' | 'read';

export interface KeyResource {
  readonly id: string;
  readonly scope: KeyScope;
  readonly label: string;
  readonly date_created: string;
}

/** A key as its creation answers it: the only time the key itself is shown. */
export interface NewKeyResource extends KeyResource {
  readonly key: string;
}

/** Every list carries it; `next` and `prev` are cursors, empty at the ends. */
export interface ListMeta {
  readonly total: number;
  readonly links: { readonly next: string; readonly prev: string };
}
