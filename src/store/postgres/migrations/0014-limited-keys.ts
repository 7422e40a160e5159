/** The same as in `sqlite/migrations/0014-limited-keys.ts`. Processes of the previous version let a limited key read its account. */
export const LIMITED_KEYS = `
  ALTER TABLE keys ADD COLUMN limits TEXT; -- JSON
  ALTER TABLE keys ADD COLUMN used_at BIGINT; -- seconds
`;
