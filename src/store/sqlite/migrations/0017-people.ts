/** Users, the accounts that they belong to, open invitations and sessions; and which user made a key. */
export const PEOPLE = `
  CREATE TABLE users (
    id             TEXT PRIMARY KEY,
    email          TEXT NOT NULL UNIQUE, -- in lower case
    name           TEXT NOT NULL,
    password_hash  TEXT,
    created_at     INTEGER NOT NULL, -- seconds
    is_operator    INTEGER NOT NULL, -- 0 or 1
    factors        TEXT -- JSON
  ) STRICT;

  CREATE TABLE memberships (
    user_id     TEXT NOT NULL,
    account_id  TEXT NOT NULL,
    role        TEXT, -- null: grants has the roles
    grants      TEXT, -- JSON
    created_at  INTEGER NOT NULL, -- seconds
    PRIMARY KEY (user_id, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memberships_by_account ON memberships (account_id, user_id);

  CREATE TABLE invitations (
    id           TEXT PRIMARY KEY,
    hash         TEXT NOT NULL UNIQUE,
    account_id   TEXT NOT NULL, -- empty for a recovery
    email        TEXT,
    role         TEXT,
    grants       TEXT, -- JSON
    is_operator  INTEGER NOT NULL, -- 0 or 1
    recovers     TEXT, -- the id of a user
    created_at   INTEGER NOT NULL, -- seconds
    expires_at   INTEGER NOT NULL, -- seconds
    created_by   TEXT NOT NULL
  ) STRICT;
  CREATE INDEX invitations_by_account ON invitations (account_id, id);

  CREATE TABLE sessions (
    id           TEXT PRIMARY KEY,
    hash         TEXT NOT NULL UNIQUE,
    user_id      TEXT NOT NULL,
    created_at   INTEGER NOT NULL, -- seconds
    seen_at      INTEGER NOT NULL, -- seconds
    fresh_until  INTEGER NOT NULL, -- seconds
    ends_at      INTEGER NOT NULL, -- seconds
    address      TEXT,
    agent        TEXT
  ) STRICT;
  CREATE INDEX sessions_by_user ON sessions (user_id, id);

  ALTER TABLE keys ADD COLUMN user_id TEXT; -- null: no user made it
  CREATE INDEX keys_by_user ON keys (user_id) WHERE user_id IS NOT NULL;
`;
