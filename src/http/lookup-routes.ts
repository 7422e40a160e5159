// Routes that ask other servers about a domain.
import { formatDelegationReply } from '../contract/format-delegation.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { getDelegation } from '../operations/get-delegation.ts';
import { answerFound, answerMalformed } from './answer.ts';
import type { RouteHandler } from './route-handler.ts';

export const lookupRoutes = {
  getDelegation: async (context, caller, { params, query }, getSignal) => {
    const isFresh = parseFlag(query, 'refresh');
    if (!isFresh.ok) return answerMalformed(isFresh.problem);
    const result = await getDelegation(context, caller, params.domain, isFresh.value, getSignal);
    return answerFound(result, formatDelegationReply);
  },
} satisfies Record<string, RouteHandler>;
