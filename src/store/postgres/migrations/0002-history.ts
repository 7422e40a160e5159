/** The same as in `sqlite/migrations/0003-history.ts`. */
export const HISTORY = `
  ALTER TABLE changes ADD COLUMN address TEXT COLLATE "C";
  ALTER TABLE changes ADD COLUMN note TEXT COLLATE "C";
  ALTER TABLE changes ADD COLUMN soa_before TEXT COLLATE "C"; -- JSON [primary, email]; null where the domain was created

  -- Kept with its records until the history ends; without deleted_at: until its last record is purged.
  ALTER TABLE deleted_domains ADD COLUMN account_id TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN name TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN created_at BIGINT; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN serial BIGINT;
  ALTER TABLE deleted_domains ADD COLUMN soa_primary TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN soa_email TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN record_count BIGINT;
  ALTER TABLE deleted_domains ADD COLUMN deleted_at BIGINT; -- milliseconds
  CREATE INDEX deleted_domains_by_account ON deleted_domains (account_id, domain_id);
  CREATE INDEX deleted_domains_by_time ON deleted_domains (deleted_at);

  CREATE TABLE idempotency (
    key_id           TEXT COLLATE "C" NOT NULL,
    idempotency_key  TEXT COLLATE "C" NOT NULL,
    request_hash     TEXT COLLATE "C" NOT NULL,
    outcome          TEXT COLLATE "C" NOT NULL, -- JSON
    at               BIGINT NOT NULL, -- milliseconds
    PRIMARY KEY (key_id, idempotency_key)
  );
  CREATE INDEX idempotency_by_time ON idempotency (at);
`;
