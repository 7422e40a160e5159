/** The same as in `sqlite/migrations/0006-upkeep-time.ts`; both times are by the clock of the database. */
export const UPKEEP_TIME = `
  CREATE TABLE upkeep_time (
    one         BIGINT PRIMARY KEY CHECK (one = 1),
    trusted_at  BIGINT, -- milliseconds; null: never
    written_at  BIGINT NOT NULL -- milliseconds
  );
`;
