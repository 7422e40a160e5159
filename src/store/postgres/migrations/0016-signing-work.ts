/**
 * The same as in `sqlite/migrations/0016-signing-work.ts`. Processes of the previous version do not know the note: all
 * processes must be updated before a domain of more than 5,000 records is signed.
 */
export const SIGNING_WORK = `
  ALTER TABLE domains ADD COLUMN signing_work TEXT; -- JSON
  ALTER TABLE deleted_domains ADD COLUMN signing_work TEXT;
  CREATE INDEX domains_in_signing ON domains (id) WHERE signing_work IS NOT NULL;
`;
