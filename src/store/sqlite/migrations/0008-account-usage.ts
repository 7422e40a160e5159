import { FILL_USAGE } from '../../fill-usage.ts';

/**
 * The usage of each account, and an administrator's limits for it. `changes.account_id` and `idempotency.account_id` say whose
 * entry it is; null for entries of earlier versions, which are not counted.
 */
export const ACCOUNT_USAGE = `
  CREATE TABLE account_usage (
    account_id      TEXT PRIMARY KEY,
    record_count    INTEGER NOT NULL,
    octets          INTEGER NOT NULL, -- of records
    history_octets  INTEGER NOT NULL, -- of changes, and of records of deleted domains that can be restored
    outcome_octets  INTEGER NOT NULL, -- of kept outcomes
    history_from    INTEGER NOT NULL DEFAULT 0 -- all changes of the account before this seq have been removed
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE account_limits (
    account_id  TEXT PRIMARY KEY,
    limits      TEXT NOT NULL -- JSON, the limits that differ from the defaults
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE counters ADD COLUMN domain_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN gap_seq INTEGER NOT NULL DEFAULT 0; -- changes up to it may be missing
  ALTER TABLE domains ADD COLUMN octets INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deleted_domains ADD COLUMN octets INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE changes ADD COLUMN account_id TEXT;
  ALTER TABLE changes ADD COLUMN octets INTEGER;
  ALTER TABLE idempotency ADD COLUMN account_id TEXT;
  ALTER TABLE idempotency ADD COLUMN octets INTEGER;
  ${FILL_USAGE}
`;
