/** Until when a zone that was signed elsewhere has valid signatures; null: the domain is not signed, or signed here. */
export const PRESIGNED_ZONES = `
  ALTER TABLE domains ADD COLUMN presigned_until BIGINT; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN presigned_until BIGINT;
  CREATE INDEX domains_presigned ON domains (presigned_until) WHERE presigned_until IS NOT NULL;
`;
