// Routes of the caller's account; for admin keys also of all accounts and their keys.
import {
  formatAccount,
  formatAccountPlan,
  formatKey,
  formatKeyPlan,
  formatNewAccountReply,
  formatNewKeyReply,
  formatOpenedAccountPlan,
  formatOpenedAccountReply,
  formatOwnAccountReply,
} from '../contract/format-account.ts';
import type { ListFormat } from '../contract/format-page.ts';
import { firstText } from '../contract/page-query.ts';
import { formatLimitsPlan, formatLimitsReply } from '../contract/format-limits.ts';
import { createKeyBody, grantBody, rotateKeyBody } from '../contract/key-shape.ts';
import { createAccountBody, limitMembers, limitsBody } from '../contract/request-bodies.ts';
import type { LimitName, LimitOverrides } from '../model/account-limits.ts';
import { getLimits, setLimits } from '../operations/account-limits.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { GrantInput } from '../model/parse-rights.ts';
import { success, type Result } from '../model/result.ts';
import { createAccount } from '../operations/create-account.ts';
import { createKey } from '../operations/create-key.ts';
import { openAccount } from '../operations/open-account.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { getAccount, listAccounts, listKeys } from '../operations/read-accounts.ts';
import type { Requester } from '../operations/requester.ts';
import { revokeKey } from '../operations/revoke-key.ts';
import { rotateKey } from '../operations/rotate-key.ts';
import { answerCreated, answerDone, answerError, answerFound, type Answer } from './answer.ts';
import { ownOrigin } from './browser-origin.ts';
import { readBody, readOptionalBody } from './json-body.ts';
import { answerList } from './list-answer.ts';
import type { ApiRequest, RouteHandler } from './route-handler.ts';

const accountList: ListFormat<Account> = {
  member: 'accounts',
  listKey: 'id',
  keyOf: (account) => account.id,
  formatRow: formatAccount,
};

const keyList: ListFormat<ApiKey> = {
  member: 'keys',
  listKey: 'id',
  filteredBy: ['account'],
  keyOf: (key) => key.id,
  formatRow: formatKey,
};

export const accountRoutes = {
  getAccount: async (context, caller) =>
    answerFound(await getAccount(context, caller), formatOwnAccountReply),

  getLimits: async (context, caller) =>
    answerFound(await getLimits(context, caller.accountId), formatLimitsReply),

  getAccountLimits: async (context, _caller, { params }) =>
    answerFound(await getLimits(context, params.id), formatLimitsReply),

  setAccountLimits: async (context, caller, { body, params }) => {
    const input = readBody(body, limitsBody);
    if (!input.ok) return answerError(input.refusal);
    const result = await setLimits(context, caller, params.id, overridesOf(input.value));
    return answerFound(result, isDryRun(caller) ? formatLimitsPlan : formatLimitsReply);
  },

  listAccounts: (context, caller, request) =>
    answerList(caller, request, accountList, (page) => listAccounts(context, page)),

  createAccount: async (context, caller, request) => {
    const input = readBody(request.body, createAccountBody);
    if (!input.ok) return answerError(input.refusal);
    const { owner } = input.value;
    if (owner !== undefined) return openOwned(context, caller, request, { ...input.value, owner });
    const result = await createAccount(context, caller, input.value);
    if (isDryRun(caller)) return answerFound(result, formatAccountPlan);
    return answerCreated(result, formatNewAccountReply);
  },

  listKeys: (context, caller, request) => {
    const account = firstText(request.query['account']) ?? '';
    const accountId = account === '' ? undefined : account;
    return answerList(caller, request, keyList, (page) => listKeys(context, caller, accountId, page));
  },

  createKey: async (context, caller, { body }) => {
    const input = readBody(body, createKeyBody);
    if (!input.ok) return answerError(input.refusal);
    const rights = readGrants(input.value.rights);
    if (!rights.ok) return answerError(rights.refusal);
    const result = await createKey(context, caller, { ...input.value, rights: rights.value });
    if (isDryRun(caller)) return answerFound(result, ({ key }) => formatKeyPlan(key));
    return answerCreated(result, formatNewKeyReply);
  },

  rotateKey: async (context, caller, { body, params }) => {
    const input = readOptionalBody(body, rotateKeyBody);
    if (!input.ok) return answerError(input.refusal);
    const { overlap } = input.value;
    const seconds = overlap === undefined ? undefined : Number(overlap === '' ? NaN : overlap);
    const result = await rotateKey(context, caller, params.id, seconds);
    if (isDryRun(caller)) return answerFound(result, ({ key }) => formatKeyPlan(key));
    return answerCreated(result, formatNewKeyReply);
  },

  revokeKey: async (context, caller, { params }) => {
    const result = await revokeKey(context, caller, params.id);
    return isDryRun(caller) ? answerFound(result, formatKeyPlan) : answerDone(result);
  },
} satisfies Record<string, RouteHandler>;

async function openOwned(
  context: OperationContext,
  caller: Requester,
  request: ApiRequest,
  input: Parameters<typeof openAccount>[2],
): Promise<Answer> {
  const result = await openAccount(context, caller, input, ownOrigin(request, context.settings.publicUrl));
  if (isDryRun(caller)) return answerFound(result, formatOpenedAccountPlan);
  return answerCreated(result, formatOpenedAccountReply);
}

/** Each entry is checked by itself, so that the problem names it. */
function readGrants(entries: readonly unknown[] | undefined): Result<GrantInput[] | undefined> {
  if (entries === undefined) return success(undefined);
  const grants: GrantInput[] = [];
  for (const [index, entry] of entries.entries()) {
    const grant = grantBody.check(entry, `rights[${index}]`);
    if (!grant.ok) return grant;
    grants.push(grant.value);
  }
  return success(grants);
}

/** A decimal string is read as the integer it spells; anything else becomes NaN, which is refused. */
function overridesOf(sent: Readonly<Record<string, number | string | undefined>>): LimitOverrides {
  const overrides: Partial<Record<LimitName, number>> = {};
  for (const [name, member] of Object.entries(limitMembers)) {
    const value = sent[member];
    if (value === undefined) continue;
    const isNumber = typeof value === 'number' || /^[0-9]+$/.test(value);
    overrides[name as LimitName] = isNumber ? Number(value) : NaN;
  }
  return overrides;
}

/** A dry run on accounts and keys answers with the objects themselves, not with changes (contract rule 41). */
function isDryRun({ terms }: Requester): boolean {
  return terms?.dryRun === true;
}
