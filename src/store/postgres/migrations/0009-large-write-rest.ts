/**
 * Until when large writes rest after the last one, if others have written since: more than `rest_seq`. Processes of the
 * previous version do not rest.
 */
export const LARGE_WRITE_REST = `
  ALTER TABLE counters ADD COLUMN rest_seq BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN rest_until BIGINT NOT NULL DEFAULT 0; -- milliseconds, by the clock of the database
`;
