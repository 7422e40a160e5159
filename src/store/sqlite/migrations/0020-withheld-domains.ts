/**
 * Why a domain is not served (`formatReasons`), and the entry of the feed with which that last changed. The index has a row
 * only for each domain that is not served.
 */
export const WITHHELD_DOMAINS = `
  ALTER TABLE domains ADD COLUMN withheld TEXT; -- null: it is served
  ALTER TABLE domains ADD COLUMN withheld_seq INTEGER;
  ALTER TABLE deleted_domains ADD COLUMN withheld TEXT;
  ALTER TABLE deleted_domains ADD COLUMN withheld_seq INTEGER;
  CREATE INDEX domains_withheld ON domains (name) WHERE withheld IS NOT NULL;
`;
