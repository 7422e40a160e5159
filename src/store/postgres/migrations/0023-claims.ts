/** The same as in `sqlite/migrations/0023-claims.ts`. Processes of the previous version create domains without a claim. */
export const CLAIMS = `
  ALTER TABLE domains ADD COLUMN claim TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN claim TEXT COLLATE "C";
  CREATE INDEX domains_unverified ON domains (id) WHERE withheld IN ('unverified', 'suspended unverified');

  CREATE TABLE account_nameservers (
    account_id  TEXT COLLATE "C" PRIMARY KEY,
    names       TEXT COLLATE "C" NOT NULL -- sorted, separated by spaces
  );
  CREATE INDEX account_nameservers_by_names ON account_nameservers (names, account_id);
`;
