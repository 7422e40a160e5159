/**
 * The same as in `sqlite/migrations/0007-change-authors.ts`. Processes of the previous version show these changes without
 * address and note.
 */
export const CHANGE_AUTHORS = `
  CREATE TABLE change_authors (
    last_seq   BIGINT PRIMARY KEY,
    first_seq  BIGINT NOT NULL,
    address    TEXT COLLATE "C",
    note       TEXT COLLATE "C"
  );
`;
