/**
 * The same as in `sqlite/migrations/0011-signed-domains.ts`. Processes of the previous version do not sign and leave the
 * new columns as they are: a domain must not be signed before all processes are updated.
 */
export const SIGNED_DOMAINS = `
  ALTER TABLE domains ADD COLUMN denial TEXT COLLATE "C"; -- nsec, nsec3
  ALTER TABLE domains ADD COLUMN renew_at BIGINT; -- seconds
  ALTER TABLE domains ADD COLUMN revised_serial BIGINT; -- null: serial
  ALTER TABLE deleted_domains ADD COLUMN denial TEXT COLLATE "C";
  ALTER TABLE deleted_domains ADD COLUMN renew_at BIGINT;
  ALTER TABLE deleted_domains ADD COLUMN revised_serial BIGINT;
  CREATE INDEX domains_by_renewal ON domains (renew_at, id) WHERE renew_at IS NOT NULL;

  CREATE TABLE zone_keys (
    domain_id   BIGINT NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    algorithm   INTEGER NOT NULL,
    flags       INTEGER NOT NULL,
    tag         INTEGER NOT NULL,
    dnskey      BYTEA NOT NULL, -- RDATA
    sealed      BYTEA NOT NULL, -- the private key, encrypted
    secret_id   TEXT COLLATE "C" NOT NULL, -- of the secret that opens it
    created_at  BIGINT NOT NULL, -- seconds
    PRIMARY KEY (domain_id, id)
  );
`;
