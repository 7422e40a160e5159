/** The list of deleted domains begins with the one deleted last; the last one of a name is found by that name. */
export const DELETED_DOMAINS_BY_TIME = `
  DROP INDEX deleted_domains_by_account;
  CREATE INDEX deleted_domains_by_account ON deleted_domains (account_id, deleted_at, domain_id);
  CREATE INDEX deleted_domains_by_name ON deleted_domains (account_id, name, domain_id);
`;
