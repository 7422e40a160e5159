/** The same as in `sqlite/migrations/0021-accesses.ts`. */
export const ACCESSES = `
  CREATE TABLE accesses (
    id          TEXT COLLATE "C" PRIMARY KEY,
    session_id  TEXT COLLATE "C" NOT NULL,
    user_id     TEXT COLLATE "C" NOT NULL,
    account_id  TEXT COLLATE "C" NOT NULL,
    reason      TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL, -- seconds
    expires_at  BIGINT NOT NULL -- seconds
  );
  CREATE INDEX accesses_by_user ON accesses (user_id, id);
  CREATE INDEX accesses_by_account ON accesses (account_id, id);
`;
