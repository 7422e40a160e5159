/** The same as in `sqlite/migrations/0013-awaited-ds-records.ts`. */
export const AWAITED_DS_RECORDS = `
  ALTER TABLE domains ADD COLUMN awaits_ds_since BIGINT; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN awaits_ds_since BIGINT;
  UPDATE domains SET awaits_ds_since = created_at WHERE denial IS NOT NULL AND withdrawn_at IS NULL;
  CREATE INDEX domains_awaiting_ds ON domains (awaits_ds_since, id) WHERE awaits_ds_since IS NOT NULL;
`;
