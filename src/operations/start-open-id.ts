// Begins a log-in by OpenID Connect: the answer leads to the provider, which sends the browser back to `finishOpenId`.
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { ProviderFailure } from '../oidc/open-id-provider.ts';
import { findInvitation } from './find-invitation.ts';
import {
  getOpenIdTerms,
  newLoginSecrets,
  parseNext,
  sealLogin,
  type OpenIdPurpose,
} from './open-id-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { getSignedIn } from './own-sessions.ts';
import type { Requester } from './requester.ts';
import type { Sender } from './sender.ts';

export interface StartedOpenId {
  /** The log-in page of the provider. */
  readonly url: string;
  /** For a cookie. */
  readonly sealed: string;
}

export interface OpenIdStart {
  readonly next?: string;
}

export function startSignIn(
  context: OperationContext,
  { next }: OpenIdStart,
  { caller }: Pick<Sender, 'caller'>,
): Promise<Result<StartedOpenId>> {
  return start(context, { purpose: 'sign-in', next, signedIn: caller?.signedIn });
}

/** The link must be good; it is used up when the person comes back. */
export async function startInvitation(
  context: OperationContext,
  { token, next }: OpenIdStart & { readonly token: string },
  { caller }: Pick<Sender, 'caller'>,
): Promise<Result<StartedOpenId>> {
  const found = await findInvitation(context, token);
  if (!found.ok) return found;
  if (found.value.recovered !== undefined)
    return refused('invalid_request', 'This link sets a new password; it needs no provider', 'token');
  return start(context, { purpose: 'invitation', next, signedIn: caller?.signedIn, invitation: token });
}

/** @param purpose the user takes an identity of the provider, or proves with it again who it is */
export function startForUser(
  context: OperationContext,
  requester: Requester,
  purpose: 'confirm' | 'link',
  { next }: OpenIdStart,
): Promise<Result<StartedOpenId>> {
  return start(context, { purpose, next, signedIn: getSignedIn(requester) });
}

interface Start {
  readonly purpose: OpenIdPurpose;
  readonly next: string | undefined;
  readonly signedIn: Requester['signedIn'];
  readonly invitation?: string;
}

async function start(
  context: OperationContext,
  { purpose, next: sentNext, signedIn, invitation }: Start,
): Promise<Result<StartedOpenId>> {
  const terms = getOpenIdTerms(context);
  if (!terms.ok) return terms;
  const next = parseNext(sentNext);
  if (!next.ok) return next;
  const login = {
    ...newLoginSecrets(),
    mustProve: purpose === 'confirm',
    purpose,
    startedAtSeconds: Math.floor(context.clock.nowMs() / 1000),
    next: next.value,
    userId: signedIn?.user.id ?? null,
    sessionId: signedIn?.session.id ?? null,
    invitation: invitation ?? null,
  };
  const begun = await terms.value.provider.begin(login);
  if (!begun.ok) return refuseProvider(begun, terms.value.provider.name);
  return success({ url: begun.value, sealed: sealLogin(terms.value, login) });
}

/** Providers that are away come back within minutes. */
const RETRY_SECONDS = 30;

/** The log has the reason why a provider failed; clients learn only that it did. */
export function refuseProvider({ kind, reason }: ProviderFailure, name: string): Refused {
  switch (kind) {
    case 'away': {
      const message = `${name} cannot be used at the moment; try again later, or sign in another way`;
      return {
        ok: false,
        refusal: { code: 'oidc_unavailable', message, retryAfterSeconds: RETRY_SECONDS },
      };
    }
    case 'busy':
      return refused('busy', `${reason}; nothing was changed, try again`);
    case 'rejected':
      return refused('invalid_login', `The log-in at ${name} was not accepted (${reason}); start again`);
  }
}
