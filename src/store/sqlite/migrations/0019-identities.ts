/** The identities of users at OpenID Connect providers. */
export const IDENTITIES = `
  CREATE TABLE identities (
    subject     TEXT NOT NULL,
    issuer      TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    created_at  INTEGER NOT NULL, -- seconds
    PRIMARY KEY (subject, issuer)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identities_by_user ON identities (user_id, issuer);
`;
