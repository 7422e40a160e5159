/**
 * How a domain is signed (null: it is not), when its signatures are renewed, and the serial of the last write by a customer,
 * by which its revision is known: renewing raises the serial alone. The signatures themselves are rows of `records`. Keys
 * belong to an id, so that a deleted domain keeps them until its records are purged.
 */
export const SIGNED_DOMAINS = `
  ALTER TABLE domains ADD COLUMN denial TEXT; -- nsec, nsec3
  ALTER TABLE domains ADD COLUMN renew_at INTEGER; -- seconds
  ALTER TABLE domains ADD COLUMN revised_serial INTEGER; -- null: serial
  ALTER TABLE deleted_domains ADD COLUMN denial TEXT;
  ALTER TABLE deleted_domains ADD COLUMN renew_at INTEGER;
  ALTER TABLE deleted_domains ADD COLUMN revised_serial INTEGER;
  CREATE INDEX domains_by_renewal ON domains (renew_at, id) WHERE renew_at IS NOT NULL;

  CREATE TABLE zone_keys (
    domain_id   INTEGER NOT NULL,
    id          TEXT NOT NULL,
    algorithm   INTEGER NOT NULL,
    flags       INTEGER NOT NULL,
    tag         INTEGER NOT NULL,
    dnskey      BLOB NOT NULL, -- RDATA
    sealed      BLOB NOT NULL, -- the private key, encrypted
    secret_id   TEXT NOT NULL, -- of the secret that opens it
    created_at  INTEGER NOT NULL, -- seconds
    PRIMARY KEY (domain_id, id)
  ) STRICT, WITHOUT ROWID;
`;
