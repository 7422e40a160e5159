/**
 * The tables of `sqlite/migrations/0001-first-tables.ts`, column by column, and what several machines need besides.
 * Text is compared byte by byte (COLLATE "C"). Ids are UUIDv7 in text form: their order is creation order.
 */
export const FIRST_TABLES = `
  CREATE TABLE counters (
    one             INTEGER PRIMARY KEY CHECK (one = 1),
    last_seq        BIGINT NOT NULL,
    last_domain_id  BIGINT NOT NULL,
    account_count   BIGINT NOT NULL,
    key_count       BIGINT NOT NULL
  ) WITH (fillfactor = 10);
  INSERT INTO counters VALUES (1, 0, 0, 0, 0);

  CREATE TABLE accounts (
    id            TEXT COLLATE "C" PRIMARY KEY,
    name          TEXT COLLATE "C" NOT NULL,
    email         TEXT COLLATE "C" NOT NULL,
    created_at    BIGINT NOT NULL, -- seconds
    domain_count  BIGINT NOT NULL,
    key_count     BIGINT NOT NULL
  ) WITH (fillfactor = 50);

  CREATE TABLE keys (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    hash        TEXT COLLATE "C" NOT NULL UNIQUE,
    scope       TEXT COLLATE "C" NOT NULL,
    label       TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL -- seconds
  );
  CREATE INDEX keys_by_account ON keys (account_id, id);

  CREATE TABLE domains (
    id            BIGINT PRIMARY KEY, -- from counters.last_domain_id, never used twice
    account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    name          TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at    BIGINT NOT NULL, -- seconds
    serial        BIGINT NOT NULL,
    soa_primary   TEXT COLLATE "C",
    soa_email     TEXT COLLATE "C",
    record_count  BIGINT NOT NULL
  ) WITH (fillfactor = 80);
  CREATE INDEX domains_by_account ON domains (account_id, name);

  -- No foreign key: a deleted domain's records are purged in slices afterwards.
  CREATE TABLE records (
    domain_id  BIGINT NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    owner      TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    type       INTEGER NOT NULL,
    data       TEXT COLLATE "C" NOT NULL,
    priority   BIGINT NOT NULL,
    ttl        BIGINT NOT NULL,
    rdata      BYTEA NOT NULL,
    PRIMARY KEY (domain_id, id)
  );
  CREATE INDEX records_by_owner ON records (domain_id, owner);

  CREATE TABLE deleted_domains (
    domain_id  BIGINT PRIMARY KEY -- until its last record is purged
  );

  CREATE TABLE retired_serials (
    name          TEXT COLLATE "C" PRIMARY KEY,
    serial        BIGINT NOT NULL,
    needed_until  BIGINT NOT NULL -- seconds
  );
  CREATE INDEX retired_serials_by_time ON retired_serials (needed_until);

  -- The feed. An entry stands for itself: domain and record may be long gone.
  CREATE TABLE changes (
    seq          BIGINT PRIMARY KEY, -- from counters.last_seq, without gaps
    at           BIGINT NOT NULL, -- milliseconds
    kind         TEXT COLLATE "C" NOT NULL,
    domain_id    BIGINT NOT NULL,
    domain       TEXT COLLATE "C" NOT NULL,
    serial       BIGINT NOT NULL,
    key_id       TEXT COLLATE "C" NOT NULL,
    soa_primary  TEXT COLLATE "C",
    soa_email    TEXT COLLATE "C",
    record_id    TEXT COLLATE "C",
    owner        TEXT COLLATE "C",
    name         TEXT COLLATE "C",
    type         INTEGER,
    data         TEXT COLLATE "C",
    priority     BIGINT,
    ttl          BIGINT,
    rdata        BYTEA
  );
  CREATE INDEX changes_by_domain ON changes (domain_id, seq);

  -- What was committed together: a lost COMMIT is looked up here, and a follower's position must still be here.
  CREATE TABLE batches (
    id           UUID PRIMARY KEY,
    last_seq     BIGINT NOT NULL, -- of the feed when it was committed
    has_changes  BOOLEAN NOT NULL, -- false: it wrote nothing into the feed
    at           BIGINT NOT NULL -- milliseconds
  );
  CREATE INDEX batches_by_seq ON batches (last_seq);

  CREATE TABLE nameservers (
    id          UUID PRIMARY KEY,
    name        TEXT COLLATE "C" NOT NULL,
    started_at  BIGINT NOT NULL, -- milliseconds
    seen_at     TIMESTAMPTZ NOT NULL, -- by the database's clock
    seq         BIGINT NOT NULL -- how far in the feed it is
  );

  CREATE TABLE nameserver_reports (
    nameserver_id  UUID NOT NULL,
    seq            BIGINT NOT NULL,
    at             BIGINT NOT NULL, -- milliseconds
    PRIMARY KEY (nameserver_id, seq)
  );
  CREATE INDEX nameserver_reports_by_time ON nameserver_reports (at);
`;
