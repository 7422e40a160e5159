// Signing in with a browser. The session is in a cookie that no script sees; the browser sends it by itself.
import type { SignOptionsJson } from '../contract/factor-shape.ts';
import type { IdentityJson, ProviderJson } from '../contract/oidc-shape.ts';
import type { SessionJson, SessionReplyJson, UserJson } from '../contract/session-shape.ts';
import { getOne } from './get-one.ts';
import { memberOf, type Answer } from './read-answer.ts';
import { sendRequest, type Endpoint, type Method } from './send-request.ts';

/** A code is needed once the user has set up one-time codes; a recovery code takes its place. */
export interface PasswordProof {
  readonly password: string;
  readonly code?: string | undefined;
}

/** `credential` is what `toJSON()` of the browser's answer returns. */
export interface PasskeyProof {
  readonly credential: object;
}

export interface SessionClient {
  /** Refused with `second_factor_required` if a code is needed as well. */
  signIn(proof: PasswordProof & { readonly email: string }): Promise<SessionReplyJson>;
  /** Returns options for `navigator.credentials.get()`, to sign in or to confirm the session. */
  startPasskey(): Promise<SignOptionsJson>;
  signInWithPasskey(credential: object): Promise<SessionReplyJson>;
  /** The OpenID Connect provider with which users can sign in; null: there is none. */
  provider(): Promise<ProviderJson>;
  /**
   * Begins a log-in at the provider. Returns the address of its page, from which the browser comes back with a session.
   *
   * @param next the path of the page to which it comes back
   */
  startWithProvider(next?: string): Promise<string>;
  /** The identities of the user at providers of OpenID Connect. */
  identities(): Promise<readonly IdentityJson[]>;
  get(): Promise<SessionReplyJson>;
  /** Proves again who the user is, after a refusal with `confirmation_required`. */
  confirm(proof: PasswordProof | PasskeyProof): Promise<SessionReplyJson>;
  /**
   * Begins a log-in at the provider, which asks the user again. Returns the address of its page, from which the browser comes back; the
   * session is fresh then.
   *
   * @param next the path of the page to which it comes back
   */
  confirmWithProvider(next?: string): Promise<string>;
  signOut(): Promise<void>;
  /** The sessions of the user, the latest first. */
  list(): Promise<readonly SessionJson[]>;
  end(id: string): Promise<void>;
  /** This session included. */
  endAll(): Promise<void>;
  updateUser(change: {
    readonly name?: string | undefined;
    readonly password?: string | undefined;
  }): Promise<UserJson>;
}

export function createSessionClient(endpoint: Endpoint): SessionClient {
  const send = (method: Method, path: string, body?: object) =>
    sendRequest(endpoint, method, path, { ...(body && { body }), once: true });
  const openWith = async (path: string, body: object): Promise<SessionReplyJson> =>
    readSession(await send('POST', path, body));
  const startAtProvider = async (path: string, next: string | undefined): Promise<string> =>
    memberOf(await send('POST', path, { ...(next !== undefined && { next }) }), 'url') as string;
  const end = async (path: string): Promise<void> => {
    await send('DELETE', path);
  };
  return {
    signIn: (proof) => openWith('/session', proof),
    startPasskey: async () =>
      memberOf(await send('POST', '/session/passkey/start'), 'options') as SignOptionsJson,
    signInWithPasskey: (credential) => openWith('/session/passkey', { credential }),
    provider: () => getOne(endpoint, '/session/oidc', 'oidc'),
    startWithProvider: (next) => startAtProvider('/session/oidc/start', next),
    confirmWithProvider: (next) => startAtProvider('/session/oidc/confirm', next),
    identities: () => getOne(endpoint, '/user/oidc', 'identities'),
    get: async () => readSession(await sendRequest(endpoint, 'GET', '/session')),
    confirm: (proof) => openWith('/session/confirm', proof),
    signOut: () => end('/session'),
    list: () => getOne(endpoint, '/sessions', 'sessions'),
    end: (id) => end(`/sessions/${encodeURIComponent(id)}`),
    endAll: () => end('/sessions'),
    updateUser: async (change) => memberOf(await send('PATCH', '/user', change), 'user') as UserJson,
  };
}

function readSession(answer: Answer): SessionReplyJson {
  memberOf(answer, 'session');
  return answer.body as SessionReplyJson;
}
