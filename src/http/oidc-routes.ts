// Routes that begin a log-in by OpenID Connect, and those of linked identities.
import {
  formatIdentitiesReply,
  formatProviderReply,
  formatStartReply,
  startBody,
  startInvitationBody,
} from '../contract/oidc-shape.ts';
import type { Result } from '../model/result.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { findProviderName, listIdentities, unlinkIdentity } from '../operations/own-identities.ts';
import {
  startForUser,
  startInvitation,
  startSignIn,
  type StartedOpenId,
} from '../operations/start-open-id.ts';
import { answerDone, answerError, answerFound, type Answer } from './answer.ts';
import { readBody, readOptionalBody } from './json-body.ts';
import { loginCookie } from './oidc-cookie.ts';
import type { OpenRouteHandler, RouteHandler } from './route-handler.ts';

/** They need no key and no session. */
export const openOidcRoutes = {
  getProvider: (context) => Promise.resolve(answerFound(findProviderName(context), formatProviderReply)),

  startProviderSignIn: async (context, sender, { body }) => {
    const input = readOptionalBody(body, startBody);
    if (!input.ok) return answerError(input.refusal);
    return answerStarted(await startSignIn(context, input.value, sender), context);
  },

  startProviderInvitation: async (context, sender, { body }) => {
    const input = readBody(body, startInvitationBody);
    if (!input.ok) return answerError(input.refusal);
    return answerStarted(await startInvitation(context, input.value, sender), context);
  },
} satisfies Record<string, OpenRouteHandler>;

export const oidcRoutes = {
  startProviderConfirmation: async (context, caller, { body }) => {
    const input = readOptionalBody(body, startBody);
    if (!input.ok) return answerError(input.refusal);
    return answerStarted(await startForUser(context, caller, 'confirm', input.value), context);
  },

  startProviderLink: async (context, caller, { body }) => {
    const input = readOptionalBody(body, startBody);
    if (!input.ok) return answerError(input.refusal);
    return answerStarted(await startForUser(context, caller, 'link', input.value), context);
  },

  listIdentities: async (context, caller) =>
    answerFound(await listIdentities(context, caller), formatIdentitiesReply),

  unlinkIdentity: async (context, caller) => answerDone(await unlinkIdentity(context, caller)),
} satisfies Record<string, RouteHandler>;

/** The rest of the log-in is in a cookie for the public URL, to which the provider leads back, whichever scheme this request has. */
function answerStarted(result: Result<StartedOpenId>, { settings }: OperationContext): Answer {
  const answer = answerFound(result, ({ url }) => formatStartReply(url));
  if (!result.ok) return answer;
  const isSecure = settings.publicUrl?.startsWith('https:') === true;
  return { ...answer, headers: loginCookie(result.value.sealed, isSecure) };
}
