/** The same as in `sqlite/migrations/0005-reversed-names.ts`, as indexes on an expression. */
export const REVERSED_NAMES = `
  CREATE INDEX domains_by_reversed_name ON domains (reverse(name), account_id);
  CREATE INDEX deleted_domains_by_reversed_name ON deleted_domains (reverse(name), account_id)
    WHERE deleted_at IS NOT NULL;
  CREATE INDEX deleted_domains_by_name_alone ON deleted_domains (name, domain_id);
`;
