// Routes that ask other servers about a domain.
import { formatDelegationReply } from '../contract/format-delegation.ts';
import { formatExplanationReply } from '../contract/format-explanation.ts';
import { parseMoment } from '../contract/filter-query.ts';
import { firstText } from '../contract/page-query.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { explainName } from '../operations/explain-name.ts';
import { getDelegation } from '../operations/get-delegation.ts';
import { answerFound, answerMalformed } from './answer.ts';
import type { RouteHandler } from './route-handler.ts';

export const lookupRoutes = {
  explainAnswer: async (context, caller, { params, query }, getSignal) => {
    const at = parseMoment(firstText(query['at']));
    if (!at.ok) return answerMalformed(at.problem);
    const input = {
      at: at.value,
      name: firstText(query['name']) ?? '',
      type: firstText(query['type']) ?? 'A',
      resolver: firstText(query['resolver']),
    };
    const result = await explainName(context, caller, params.domain, input, getSignal);
    return answerFound(result, formatExplanationReply);
  },

  getDelegation: async (context, caller, { params, query }, getSignal) => {
    const isFresh = parseFlag(query, 'refresh');
    if (!isFresh.ok) return answerMalformed(isFresh.problem);
    const result = await getDelegation(context, caller, params.domain, isFresh.value, getSignal);
    return answerFound(result, formatDelegationReply);
  },
} satisfies Record<string, RouteHandler>;
