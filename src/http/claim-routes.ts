// Routes of the control of domains, and of the nameservers of accounts and of the service.
import { formatAccountNameservers, formatClaimPlan, formatClaimReply } from '../contract/format-claim.ts';
import { formatServiceNameservers } from '../contract/nameserver-shape.ts';
import { success } from '../model/result.ts';
import { checkClaim, getClaim, verifyDomain } from '../operations/claim-domain.ts';
import { listNameservers } from '../operations/list-nameservers.ts';
import type { Requester } from '../operations/requester.ts';
import { answerFound } from './answer.ts';
import type { RouteHandler } from './route-handler.ts';

export const claimRoutes = {
  getClaim: async (context, caller, { params }) =>
    answerFound(await getClaim(context, caller, params.domain), formatClaimReply),

  checkClaim: async (context, caller, { params }, getSignal) =>
    answerFound(await checkClaim(context, caller, params.domain, getSignal), formatOf(caller)),

  getAccountNameservers: async (context, caller) =>
    answerFound(success(await context.nameserverSets.of(caller.accountId)), formatAccountNameservers),

  listNameservers: async (context) => answerFound(await listNameservers(context), formatServiceNameservers),

  verifyDomain: async (context, caller, { params }) =>
    answerFound(await verifyDomain(context, caller, params.id, params.domain), formatOf(caller)),
} satisfies Record<string, RouteHandler>;

function formatOf({ terms }: Requester): typeof formatClaimReply {
  return terms?.dryRun === true ? formatClaimPlan : formatClaimReply;
}
