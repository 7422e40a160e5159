/**
 * The same as in `sqlite/migrations/0020-withheld-domains.ts`. Processes of the previous version serve every domain, and stop
 * following the feed at the first one that is withheld: all processes must be updated before.
 */
export const WITHHELD_DOMAINS = `
  ALTER TABLE domains ADD COLUMN withheld TEXT COLLATE "C"; -- null: it is served
  ALTER TABLE domains ADD COLUMN withheld_seq BIGINT;
  ALTER TABLE deleted_domains ADD COLUMN withheld TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN withheld_seq BIGINT;
  CREATE INDEX domains_withheld ON domains (name) WHERE withheld IS NOT NULL;
`;
