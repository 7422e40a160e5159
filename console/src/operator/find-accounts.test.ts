import { expect, test } from 'vitest';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { findAccounts } from './find-accounts.ts';

const account = (id: string, name: string, state: AccountJson['state']): AccountJson => ({
  ...{ id, name, email: `dns@${id}.example`, date_created: '2026-11-20T09:03:31+00:00' },
  ...{ state, suspension: null, deletion: null, progress: null },
});
const all = [account('a1', 'Example Ltd', 'active'), account('a2', 'Müller GmbH', 'suspended')];

test.each([
  ['', ['a1', 'a2']],
  [' EXAMPLE l', ['a1']],
  ['müller', ['a2']],
  ['@a2.', ['a2']],
  ['a1', ['a1']],
  ['suspended', ['a2']],
  ['susp', []],
  ['nobody', []],
])('%j finds %j', (search, found) => {
  expect(findAccounts(all, search).map(({ id }) => id)).toEqual(found);
});
