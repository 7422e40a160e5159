/** Who owns domains. */
export interface Account {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAtSeconds: number;
}

/** `full` keys may do everything in their account; `read` keys only list; `admin` keys also manage accounts and keys. */
export type KeyScope = 'admin' | 'full' | 'read';

/** An API key as it is kept: never the key itself. */
export interface ApiKey {
  /** UUIDv7; names the key in lists, logs and history. */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key text, 64 lower-case hex digits. */
  readonly hash: string;
  readonly scope: KeyScope;
  /** The owner's words for it, may be empty. */
  readonly label: string;
  readonly createdAtSeconds: number;
}

/** Whose request it is: what authentication found. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly scope: KeyScope;
}
