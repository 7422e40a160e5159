// Routes of operators who look into accounts of others.
import { accessBody } from '../contract/access-shape.ts';
import { formatAccessesReply, formatAccessReply } from '../contract/format-access.ts';
import { firstText } from '../contract/page-query.ts';
import { createAccess, endAccess, listAccesses, listOwnAccesses } from '../operations/accesses.ts';
import { answerCreated, answerDone, answerError, answerFound } from './answer.ts';
import { readBody } from './json-body.ts';
import type { RouteHandler } from './route-handler.ts';

export const accessRoutes = {
  createAccess: async (context, caller, { body, params }) => {
    const input = readBody(body, accessBody);
    if (!input.ok) return answerError(input.refusal);
    return answerCreated(
      await createAccess(context, caller, params.id, input.value.reason),
      formatAccessReply,
    );
  },

  endAccess: async (context, caller, { params }) => answerDone(await endAccess(context, caller, params.id)),

  listOwnAccesses: async (context, caller) =>
    answerFound(await listOwnAccesses(context, caller), formatAccessesReply),

  listAccesses: async (context, caller, { query }) => {
    const account = firstText(query['account']) ?? '';
    const named = account === '' ? undefined : account;
    return answerFound(await listAccesses(context, caller, named), formatAccessesReply);
  },
} satisfies Record<string, RouteHandler>;
