/** Whether an account is suspended or deleted, and when the service has to do something about it. */
export const ACCOUNT_STANDING = `
  ALTER TABLE accounts ADD COLUMN standing TEXT; -- JSON; null: neither
  ALTER TABLE accounts ADD COLUMN due_at INTEGER; -- milliseconds; null: never
  CREATE INDEX accounts_by_due ON accounts (due_at, id) WHERE due_at IS NOT NULL;
`;
