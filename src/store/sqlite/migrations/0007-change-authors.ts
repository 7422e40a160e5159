/**
 * The address and note of a write with several changes, once for all of them: the row with the smallest `last_seq` from a
 * change's `seq` on, if its `first_seq` is not later. Changes that stand alone, and older ones, have their own.
 */
export const CHANGE_AUTHORS = `
  CREATE TABLE change_authors (
    last_seq   INTEGER PRIMARY KEY,
    first_seq  INTEGER NOT NULL,
    address    TEXT,
    note       TEXT
  ) STRICT;
`;
