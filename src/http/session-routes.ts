// Routes of users: signing in and out, their sessions, and links. The cookie of a session is set and removed here alone.
import { readAssertion } from '../contract/credential-shape.ts';
import { passkeySignInBody } from '../contract/factor-shape.ts';
import { formatSignOptionsReply } from '../contract/format-factors.ts';
import {
  formatOpenInvitationReply,
  formatSessionReply,
  formatSessionsReply,
  formatUserReply,
} from '../contract/format-session.ts';
import {
  acceptInvitationBody,
  confirmBody,
  invitationTokenBody,
  signInBody,
  updateUserBody,
} from '../contract/session-shape.ts';
import { refused, success, type Result } from '../model/result.ts';
import { acceptInvitation } from '../operations/accept-invitation.ts';
import { findInvitation } from '../operations/find-invitation.ts';
import type { OpenedSession } from '../operations/open-session.ts';
import {
  confirmSession,
  endSessions,
  getSession,
  getSignedIn,
  listSessions,
  type Confirmation,
} from '../operations/own-sessions.ts';
import { startPasskeyProof } from '../operations/prove-passkey.ts';
import { signIn, signInWithPasskey } from '../operations/sign-in.ts';
import { updateUser } from '../operations/update-user.ts';
import { answerDone, answerError, answerFound, type Answer } from './answer.ts';
import { clientNetwork } from './client-network.ts';
import { readBody } from './json-body.ts';
import { findPasskeySite } from './passkey-site.ts';
import type { OpenRouteHandler, RouteHandler } from './route-handler.ts';
import { endedCookie, sessionCookie } from './session-cookie.ts';

/** They need no key and no session. */
export const openRoutes = {
  signIn: async (context, sender, { body }) => {
    const input = readBody(body, signInBody);
    if (!input.ok) return answerError(input.refusal);
    return answerOpened(await signIn(context, input.value, sender), sender.isSecure);
  },

  startPasskeySignIn: (context, _sender, { headers }) => {
    const site = findPasskeySite(headers, context.settings.publicUrl);
    return Promise.resolve(answerFound(startPasskeyProof(context, site), formatSignOptionsReply));
  },

  signInWithPasskey: async (context, sender, { body, headers }) => {
    const input = readBody(body, passkeySignInBody);
    if (!input.ok) return answerError(input.refusal);
    const sent = readAssertion(input.value.credential);
    if (!sent.ok) return answerError(sent.refusal);
    const site = findPasskeySite(headers, context.settings.publicUrl);
    return answerOpened(await signInWithPasskey(context, sent.value, site, sender), sender.isSecure);
  },

  openInvitation: async (context, _sender, { body }) => {
    const input = readBody(body, invitationTokenBody);
    if (!input.ok) return answerError(input.refusal);
    return answerFound(await findInvitation(context, input.value.token), formatOpenInvitationReply);
  },

  acceptInvitation: async (context, sender, { body }) => {
    const input = readBody(body, acceptInvitationBody);
    if (!input.ok) return answerError(input.refusal);
    return answerOpened(await acceptInvitation(context, input.value, sender), sender.isSecure);
  },
} satisfies Record<string, OpenRouteHandler>;

export const sessionRoutes = {
  getSession: async (context, caller) => answerFound(await getSession(context, caller), formatSessionReply),

  signOut: async (context, caller) => {
    const { session } = getSignedIn(caller);
    return withoutCookie(answerDone(await endSessions(context, caller, session.id)));
  },

  confirmSession: async (context, caller, { body, headers }) => {
    const input = readBody(body, confirmBody);
    if (!input.ok) return answerError(input.refusal);
    const confirmation = readConfirmation(input.value, findPasskeySite(headers, context.settings.publicUrl));
    if (!confirmation.ok) return answerError(confirmation.refusal);
    const network = clientNetwork(caller.terms?.address);
    return answerFound(
      await confirmSession(context, caller, confirmation.value, network),
      formatSessionReply,
    );
  },

  listSessions: async (context, caller) => {
    const { session } = getSignedIn(caller);
    return answerFound(await listSessions(context, caller), (sessions) =>
      formatSessionsReply(sessions, session.id),
    );
  },

  endSessions: async (context, caller) =>
    withoutCookie(answerDone(await endSessions(context, caller, undefined))),

  endSession: async (context, caller, { params }) => {
    const answer = answerDone(await endSessions(context, caller, params.id));
    return params.id === getSignedIn(caller).session.id ? withoutCookie(answer) : answer;
  },

  updateUser: async (context, caller, { body }) => {
    const input = readBody(body, updateUserBody);
    if (!input.ok) return answerError(input.refusal);
    return answerFound(await updateUser(context, caller, input.value), formatUserReply);
  },
} satisfies Record<string, RouteHandler>;

/** A passkey, or else a password. */
function readConfirmation(
  {
    password,
    code,
    credential,
  }: { readonly password?: string; readonly code?: string; readonly credential?: unknown },
  site: ReturnType<typeof findPasskeySite>,
): Result<Confirmation> {
  if (credential !== undefined) {
    const sent = readAssertion(credential);
    return sent.ok ? success({ kind: 'passkey', sent: sent.value, site }) : sent;
  }
  if (password === undefined)
    return refused('invalid_request', 'password or credential is required', 'password');
  return success({ kind: 'password', password, code });
}

/** Answers 201 with the session in a cookie. */
function answerOpened(result: Result<OpenedSession>, isSecure: boolean): Answer {
  const answer = answerFound(result.ok ? success(result.value) : result, formatSessionReply);
  if (!result.ok) return answer;
  return { ...answer, status: 201, headers: sessionCookie(result.value.token, isSecure) };
}

/** Removes both cookies: the browser has one of them. */
function withoutCookie(answer: Answer): Answer {
  if (answer.status !== 204) return answer;
  return { ...answer, headers: [...endedCookie(true), ...endedCookie(false)] };
}
