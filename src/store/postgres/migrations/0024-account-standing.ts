/**
 * The same as in `sqlite/migrations/0024-account-standing.ts`. Processes of the previous version do not know suspensions and
 * go on to write: all processes must be updated before an account is suspended or deleted.
 */
export const ACCOUNT_STANDING = `
  ALTER TABLE accounts ADD COLUMN standing TEXT COLLATE "C"; -- JSON; null: neither
  ALTER TABLE accounts ADD COLUMN due_at BIGINT; -- milliseconds; null: never
  CREATE INDEX accounts_by_due ON accounts (due_at, id) WHERE due_at IS NOT NULL;
`;
