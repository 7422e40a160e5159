/**
 * The same as in `sqlite/migrations/0008-account-usage.ts`. Processes of the previous version do not count. Upkeep counts what
 * they write, and all that is there at first, in slices (`zone-hashing.ts`, `recount-usage.ts`): reading all records in the
 * migration would stop all writes for minutes.
 */
export const ACCOUNT_USAGE = `
  CREATE TABLE account_usage (
    account_id      TEXT COLLATE "C" PRIMARY KEY,
    record_count    BIGINT NOT NULL,
    octets          BIGINT NOT NULL, -- of records
    history_octets  BIGINT NOT NULL, -- of changes, and of records of deleted domains that can be restored
    outcome_octets  BIGINT NOT NULL, -- of kept outcomes
    history_from    BIGINT NOT NULL DEFAULT 0 -- all changes of the account before this seq have been removed
  ) WITH (fillfactor = 50);
  CREATE TABLE account_limits (
    account_id  TEXT COLLATE "C" PRIMARY KEY,
    limits      TEXT COLLATE "C" NOT NULL -- JSON, the limits that differ from the defaults
  );

  ALTER TABLE counters ADD COLUMN domain_count BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE domains ADD COLUMN octets BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE deleted_domains ADD COLUMN octets BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE changes ADD COLUMN account_id TEXT COLLATE "C";
  ALTER TABLE changes ADD COLUMN octets BIGINT;
  ALTER TABLE idempotency ADD COLUMN account_id TEXT COLLATE "C";
  ALTER TABLE idempotency ADD COLUMN octets BIGINT;
`;
