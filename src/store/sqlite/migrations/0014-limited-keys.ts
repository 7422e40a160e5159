/** The limits of a key beyond its scope, and when it was used last. */
export const LIMITED_KEYS = `
  ALTER TABLE keys ADD COLUMN limits TEXT; -- JSON
  ALTER TABLE keys ADD COLUMN used_at INTEGER; -- seconds
`;
