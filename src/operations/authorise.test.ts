import { expect, test } from 'vitest';
import type { Caller } from '../model/account.ts';
import { findScopeRefusal } from './authorise.ts';
import { changeRecords } from './change-records.ts';
import { createAccount } from './create-account.ts';
import { createDomain } from './create-domain.ts';
import { createKey } from './create-key.ts';
import { createRecord } from './create-record.ts';
import { declareRecords } from './declare-records.ts';
import { deleteDomain } from './delete-domain.ts';
import { deleteRecord } from './delete-record.ts';
import { listAccounts } from './list-accounts.ts';
import { listKeys } from './list-keys.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { restoreDomain } from './restore-domain.ts';
import { revertRecords } from './revert-records.ts';
import { revokeKey } from './revoke-key.ts';
import { updateDomain } from './update-domain.ts';
import { updateRecord } from './update-record.ts';
import { updateSoa } from './update-soa.ts';

const { context, caller } = await openOperationScene();
const name = 'unknown.example';
const page = { direction: 'after', key: null, limit: 1 } as const;
const nothing = { count: 0, deletes: [], updates: [], creates: [] };

type UseCase = (context: OperationContext, caller: Caller) => Promise<{ readonly ok: boolean }>;

/** Each with input that it would refuse otherwise. */
const writes: Record<string, UseCase> = {
  changeRecords: (store, by) => changeRecords(store, by, name, nothing),
  createDomain: (store, by) => createDomain(store, by, { domain: '' }),
  createRecord: (store, by) => createRecord(store, by, name, { type: '', name: '', data: '' }),
  declareRecords: (store, by) => declareRecords(store, by, name, { mode: 'merge', content: '' }),
  deleteDomain: (store, by) => deleteDomain(store, by, name),
  deleteRecord: (store, by) => deleteRecord(store, by, name, 'x'),
  restoreDomain: (store, by) => restoreDomain(store, by, name),
  revertRecords: (store, by) => revertRecords(store, by, name, 1),
  updateDomain: (store, by) => updateDomain(store, by, name, {}),
  updateRecord: (store, by) => updateRecord(store, by, name, 'x', {}),
  updateSoa: (store, by) => updateSoa(store, by, name, {}),
};

const administration: Record<string, UseCase> = {
  createAccount: (store, by) => createAccount(store, by, { name: '', email: '' }),
  createKey: (store, by) => createKey(store, by, { account: 'x' }),
  listAccounts: (store, by) => listAccounts(store, by, page),
  listKeys: (store, by) => listKeys(store, by, 'x', page),
  revokeKey: (store, by) => revokeKey(store, by, caller.keyId),
};

test.each(Object.entries(writes))(
  '%s is not for keys that only read, whatever is asked',
  async (_, write) => {
    expect(await write(context, { ...caller, scope: 'read' })).toEqual(
      findScopeRefusal({ scope: 'read' }, 'full'),
    );
  },
);

test.each(Object.entries(administration))('%s is for keys of scope admin only', async (_, manage) => {
  for (const scope of ['read', 'full'] as const) {
    expect(await manage(context, { ...caller, scope })).toEqual(findScopeRefusal({ scope }, 'admin'));
  }
});

test.each([
  ['read', ['read']],
  ['full', ['read', 'full']],
  ['admin', ['read', 'full', 'admin']],
] as const)('a key of scope %s reaches %j', (scope, reached) => {
  const scopes = ['read', 'full', 'admin'] as const;
  expect(scopes.filter((needed) => findScopeRefusal({ scope }, needed) === undefined)).toEqual(reached);
});
