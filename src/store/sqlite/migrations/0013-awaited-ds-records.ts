/**
 * Since when a signed domain waits for the parent zone to have its first DS record; null: it has it, or the domain is not
 * signed. Domains that were signed before are looked at once, as if they had been signed when they were created.
 */
export const AWAITED_DS_RECORDS = `
  ALTER TABLE domains ADD COLUMN awaits_ds_since INTEGER; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN awaits_ds_since INTEGER;
  UPDATE domains SET awaits_ds_since = created_at WHERE denial IS NOT NULL AND withdrawn_at IS NULL;
  CREATE INDEX domains_awaiting_ds ON domains (awaits_ds_since, id) WHERE awaits_ds_since IS NOT NULL;
`;
