/** The identities of users at OpenID Connect providers. */
export const IDENTITIES = `
  CREATE TABLE identities (
    subject     TEXT COLLATE "C" NOT NULL,
    issuer      TEXT COLLATE "C" NOT NULL,
    user_id     TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL, -- seconds
    PRIMARY KEY (subject, issuer)
  );
  CREATE INDEX identities_by_user ON identities (user_id, issuer);
`;
