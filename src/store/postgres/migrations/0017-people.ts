/** The same as in `sqlite/migrations/0017-people.ts`. Processes of the previous version do not know sessions. */
export const PEOPLE = `
  CREATE TABLE users (
    id             TEXT COLLATE "C" PRIMARY KEY,
    email          TEXT COLLATE "C" NOT NULL UNIQUE, -- in lower case
    name           TEXT COLLATE "C" NOT NULL,
    password_hash  TEXT COLLATE "C",
    created_at     BIGINT NOT NULL, -- seconds
    is_operator    BIGINT NOT NULL, -- 0 or 1
    factors        TEXT COLLATE "C" -- JSON
  );

  CREATE TABLE memberships (
    user_id     TEXT COLLATE "C" NOT NULL,
    account_id  TEXT COLLATE "C" NOT NULL,
    role        TEXT COLLATE "C", -- null: grants has the roles
    grants      TEXT COLLATE "C", -- JSON
    created_at  BIGINT NOT NULL, -- seconds
    PRIMARY KEY (user_id, account_id)
  );
  CREATE INDEX memberships_by_account ON memberships (account_id, user_id);

  CREATE TABLE invitations (
    id           TEXT COLLATE "C" PRIMARY KEY,
    hash         TEXT COLLATE "C" NOT NULL UNIQUE,
    account_id   TEXT COLLATE "C" NOT NULL, -- empty for a recovery
    email        TEXT COLLATE "C",
    role         TEXT COLLATE "C",
    grants       TEXT COLLATE "C", -- JSON
    is_operator  BIGINT NOT NULL, -- 0 or 1
    recovers     TEXT COLLATE "C", -- the id of a user
    created_at   BIGINT NOT NULL, -- seconds
    expires_at   BIGINT NOT NULL, -- seconds
    created_by   TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX invitations_by_account ON invitations (account_id, id);

  CREATE TABLE sessions (
    id           TEXT COLLATE "C" PRIMARY KEY,
    hash         TEXT COLLATE "C" NOT NULL UNIQUE,
    user_id      TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL, -- seconds
    seen_at      BIGINT NOT NULL, -- seconds
    fresh_until  BIGINT NOT NULL, -- seconds
    ends_at      BIGINT NOT NULL, -- seconds
    address      TEXT COLLATE "C",
    agent        TEXT COLLATE "C"
  );
  CREATE INDEX sessions_by_user ON sessions (user_id, id);

  ALTER TABLE keys ADD COLUMN user_id TEXT COLLATE "C"; -- null: no user made it
  CREATE INDEX keys_by_user ON keys (user_id) WHERE user_id IS NOT NULL;
`;
