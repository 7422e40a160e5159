import type { Rights } from './rights.ts';

/** Owns domains and API keys. */
export interface Account {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAtSeconds: number;
}

/** `full` keys may do everything in their account; `read` keys only read; `admin` keys also manage accounts and keys. */
export type KeyScope = 'admin' | 'full' | 'read';

/** A stored API key: its hash, never the key itself. */
export interface ApiKey {
  /** UUIDv7; names the key in lists, logs and history. */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key text, 64 lower-case hex digits. */
  readonly hash: string;
  readonly scope: KeyScope;
  /** The owner's description; may be empty. */
  readonly label: string;
  readonly createdAtSeconds: number;
}

/** The sender of a request, as authentication found it. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly rights: Rights;
}
