// Routes of the life of accounts: suspension, deletion and restoration.
import { formatAccount } from '../contract/format-account.ts';
import {
  formatAccountChangePlan,
  formatAccountReply,
  formatDeletionPlan,
  formatStandingReply,
} from '../contract/format-standing.ts';
import { suspendAccountBody } from '../contract/account-shape.ts';
import { ARCHIVE_TYPE } from '../contract/archive-type.ts';
import { firstText } from '../contract/page-query.ts';
import type { Account } from '../model/account.ts';
import type { WriteResult } from '../model/result.ts';
import {
  deleteAccount,
  findAnyAccount,
  restoreAccount,
  resumeAccount,
  suspendAccount,
  type DeletedAccount,
} from '../operations/account-life.ts';
import { exportAccount } from '../operations/export-account.ts';
import { getAccount } from '../operations/read-accounts.ts';
import type { Requester } from '../operations/requester.ts';
import { archiveAccount } from './account-archive.ts';
import { answerDone, answerError, answerFound, answerStream, type Answer } from './answer.ts';
import { gzipPieces } from './gzip-pieces.ts';
import { readBody } from './json-body.ts';
import type { RouteHandler } from './route-handler.ts';

export const accountLifeRoutes = {
  getStanding: async (context, caller) => answerFound(await getAccount(context, caller), formatStandingReply),

  exportAccount: async (context, caller) => {
    const result = await exportAccount(context, caller);
    const answer = answerStream(result, (account) => gzipPieces(archiveAccount(account)), ARCHIVE_TYPE);
    if (!result.ok) return answer;
    const day = new Date(result.value.atMs).toISOString().slice(0, 10);
    const fileName = `attachment; filename="zonewright-account-${day}.tar.gz"`;
    return { ...answer, headers: [...(answer.headers ?? []), 'Content-Disposition', fileName] };
  },

  deleteOwnAccount: async (context, caller, { query }) => {
    const typedName = firstText(query['name']) ?? '';
    return answerDeletion(caller, await deleteAccount(context, caller, caller.accountId, typedName));
  },

  getAnyAccount: async (context, _caller, { params }) =>
    answerFound(await findAnyAccount(context, params.id), showAccount),

  suspendAccount: async (context, caller, { params, body }) => {
    const input = readBody(body, suspendAccountBody);
    if (!input.ok) return answerError(input.refusal);
    return answerAccount(caller, await suspendAccount(context, caller, params.id, input.value));
  },

  resumeAccount: async (context, caller, { params }) => {
    const result = await resumeAccount(context, caller, params.id);
    return caller.terms?.dryRun === true ? answerAccount(caller, result) : answerDone(result);
  },

  deleteAccount: async (context, caller, { params }) =>
    answerDeletion(caller, await deleteAccount(context, caller, params.id, null)),

  restoreAccount: async (context, caller, { params }) =>
    answerAccount(caller, await restoreAccount(context, caller, params.id)),
} satisfies Record<string, RouteHandler>;

function showAccount(account: Account): string {
  return formatAccountReply(formatAccount(account));
}

function answerAccount({ terms }: Requester, result: WriteResult<Account>): Answer {
  if (terms?.dryRun !== true) return answerFound(result, showAccount);
  return answerFound(result, (account) => formatAccountChangePlan(formatAccount(account)));
}

function answerDeletion({ terms }: Requester, result: WriteResult<DeletedAccount>): Answer {
  if (terms?.dryRun !== true) return answerDone(result);
  return answerFound(result, ({ account, holdings }) => formatDeletionPlan(formatAccount(account), holdings));
}
