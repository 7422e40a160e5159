/** The oldest entries of one action are found without those of others, which a flood of it must not push out. */
export const TRAIL_BY_ACTION = `
  CREATE INDEX trail_by_action ON trail (account_id, action, at, id);
`;
