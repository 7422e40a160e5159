/** The same as in `sqlite/migrations/0010-restored-domains.ts`. */
export const RESTORED_DOMAINS = `
  ALTER TABLE deleted_domains ADD COLUMN content_hash TEXT COLLATE "C"; -- null: deleted by a process of an earlier version
  DROP INDEX deleted_domains_by_name;
  DROP INDEX deleted_domains_by_name_alone;
  CREATE INDEX deleted_domains_by_name ON deleted_domains (account_id, name, deleted_at, domain_id);
  CREATE INDEX deleted_domains_by_name_alone ON deleted_domains (name, deleted_at, domain_id);
`;
