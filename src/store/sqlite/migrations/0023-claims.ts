/**
 * Claims of domains (`formatClaim`), and the nameservers of accounts that have some of their own. The
 * first index has a row only for each domain that is unverified, the second one tells whether two accounts have the same.
 */
export const CLAIMS = `
  ALTER TABLE domains ADD COLUMN claim TEXT;
  ALTER TABLE deleted_domains ADD COLUMN claim TEXT;
  CREATE INDEX domains_unverified ON domains (id) WHERE withheld IN ('unverified', 'suspended unverified');

  CREATE TABLE account_nameservers (
    account_id  TEXT PRIMARY KEY,
    names       TEXT NOT NULL -- sorted, separated by spaces
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX account_nameservers_by_names ON account_nameservers (names, account_id);
`;
