/**
 * A deleted domain keeps the hash of its records, because it is restored with the id and the records that it had. The last
 * deleted one of a name is found by the time, not by the id.
 */
export const RESTORED_DOMAINS = `
  ALTER TABLE deleted_domains ADD COLUMN content_hash TEXT; -- null: deleted by an earlier version
  DROP INDEX deleted_domains_by_name;
  DROP INDEX deleted_domains_by_name_alone;
  CREATE INDEX deleted_domains_by_name ON deleted_domains (account_id, name, deleted_at, domain_id);
  CREATE INDEX deleted_domains_by_name_alone ON deleted_domains (name, deleted_at, domain_id);
`;
