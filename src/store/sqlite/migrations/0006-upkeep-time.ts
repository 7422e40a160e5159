/** The time by which upkeep last deleted; written about once a minute. No row: upkeep has never run. */
export const UPKEEP_TIME = `
  CREATE TABLE upkeep_time (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    trusted_at  INTEGER, -- milliseconds; null: never
    written_at  INTEGER NOT NULL -- milliseconds, by the clock at that moment, right or wrong
  ) STRICT;
`;
