import type { AccountJson } from '../../../src/contract/account-shape.ts';

/** Finds accounts by a part of their name or address, by their id, or by their state. */
export function findAccounts(accounts: readonly AccountJson[], search: string): readonly AccountJson[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return accounts;
  return accounts.filter(
    ({ id, name, email, state }) =>
      name.toLowerCase().includes(wanted) ||
      email.toLowerCase().includes(wanted) ||
      id === wanted ||
      state === wanted,
  );
}
