/** Operators who look into accounts of others, and why. */
export const ACCESSES = `
  CREATE TABLE accesses (
    id          TEXT PRIMARY KEY,
    session_id  TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    account_id  TEXT NOT NULL,
    reason      TEXT NOT NULL,
    created_at  INTEGER NOT NULL, -- seconds
    expires_at  INTEGER NOT NULL -- seconds
  ) STRICT;
  CREATE INDEX accesses_by_user ON accesses (user_id, id);
  CREATE INDEX accesses_by_account ON accesses (account_id, id);
`;
