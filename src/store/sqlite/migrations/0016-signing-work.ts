/** Work on the signatures of a domain that is done in slices (`SigningWork`); null: none. */
export const SIGNING_WORK = `
  ALTER TABLE domains ADD COLUMN signing_work TEXT; -- JSON
  ALTER TABLE deleted_domains ADD COLUMN signing_work TEXT;
  CREATE INDEX domains_in_signing ON domains (id) WHERE signing_work IS NOT NULL;
`;
