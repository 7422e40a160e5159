/** The trail of each account, and the octets that each action takes in it. */
export const TRAIL = `
  CREATE TABLE trail (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
    account_id  TEXT NOT NULL, -- empty: only operators see it
    at          INTEGER NOT NULL, -- milliseconds
    since       INTEGER NOT NULL, -- milliseconds, the first of several
    action      TEXT NOT NULL,
    actor       TEXT NOT NULL, -- the id of a key, user:… or empty
    actor_name  TEXT NOT NULL,
    address     TEXT,
    object      TEXT NOT NULL,
    detail      TEXT, -- JSON
    count       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX trail_by_account ON trail (account_id, at, id);
  CREATE INDEX trail_by_time ON trail (at, id);

  CREATE TABLE trail_usage (
    account_id  TEXT NOT NULL,
    action      TEXT NOT NULL,
    octets      INTEGER NOT NULL,
    PRIMARY KEY (account_id, action)
  ) STRICT, WITHOUT ROWID;
`;
