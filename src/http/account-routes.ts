// The caller's account; for admin keys also all accounts and their keys.
import {
  formatAccount,
  formatKey,
  formatNewAccountReply,
  formatNewKeyReply,
  formatOwnAccountReply,
} from '../contract/format-account.ts';
import type { ListFormat } from '../contract/format-page.ts';
import { firstText } from '../contract/page-query.ts';
import { createAccountBody, createKeyBody } from '../contract/request-bodies.ts';
import type { Account, ApiKey } from '../model/account.ts';
import { createAccount } from '../operations/create-account.ts';
import { createKey } from '../operations/create-key.ts';
import { getAccount } from '../operations/get-account.ts';
import { listAccounts } from '../operations/list-accounts.ts';
import { listKeys } from '../operations/list-keys.ts';
import { revokeKey } from '../operations/revoke-key.ts';
import { answerCreated, answerDone, answerError, answerFound } from './answer.ts';
import { readBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import type { RouteHandler } from './route-handler.ts';

const accountList: ListFormat<Account> = {
  member: 'accounts',
  listKey: 'id',
  keyOf: (account) => account.id,
  formatRow: formatAccount,
};

const keyList: ListFormat<ApiKey> = {
  member: 'keys',
  listKey: 'id',
  keyOf: (key) => key.id,
  formatRow: formatKey,
};

export const accountRoutes = {
  getAccount: async (context, caller) =>
    answerFound(await getAccount(context, caller), formatOwnAccountReply),

  listAccounts: (context, caller, request) =>
    answerList(request, accountList, (page) => listAccounts(context, caller, page)),

  createAccount: async (context, caller, { body }) => {
    const input = readBody(body, createAccountBody);
    if (!input.ok) return answerError(input.refusal);
    return answerCreated(await createAccount(context, caller, input.value), formatNewAccountReply);
  },

  listKeys: (context, caller, request) => {
    const account = firstText(request.query['account']) ?? '';
    const accountId = account === '' ? undefined : account;
    return answerList(request, keyList, (page) => listKeys(context, caller, accountId, page));
  },

  createKey: async (context, caller, { body }) => {
    const input = readBody(body, createKeyBody);
    if (!input.ok) return answerError(input.refusal);
    return answerCreated(await createKey(context, caller, input.value), formatNewKeyReply);
  },

  revokeKey: async (context, caller, { params }) => answerDone(await revokeKey(context, caller, params.id)),
} satisfies Record<string, RouteHandler>;
