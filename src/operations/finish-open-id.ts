// Ends a log-in by OpenID Connect, when the provider has sent the browser back. Nobody is found by an e-mail address alone: it may
// be unverified at the provider, or belong to somebody else by now.
import { unreachable } from '../base/assert.ts';
import { isSameIdentity } from '../model/identity.ts';
import { refused, success, type Result } from '../model/result.ts';
import { refuseDelayed } from '../model/refuse-login.ts';
import { freshUntil, type User } from '../model/user.ts';
import type { OpenIdProvider, ProviderPerson } from '../oidc/open-id-provider.ts';
import { refuseIdentity } from '../writes/decide-identity.ts';
import { describeProvider } from '../writes/people-notes.ts';
import { acceptWithIdentity } from './accept-with-identity.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import { getOpenIdTerms, openLogin, type OpenIdLogin, type OpenIdTerms } from './open-id-terms.ts';
import { noteFailedLogin } from './note-failed-login.ts';
import { authorOf, openSession, type OpenedSession } from './open-session.ts';
import type { OperationContext } from './operation-context.ts';
import type { Sender } from './sender.ts';
import { refuseProvider } from './start-open-id.ts';

/** The browser brings it back from the provider. */
export interface OpenIdReturn {
  /** From the cookie; undefined: there is none. */
  readonly sealed: string | undefined;
  /** Without `?`. */
  readonly query: string;
}

export interface FinishedOpenId {
  /** The page to go to. */
  readonly next: string;
  /** Undefined: the session that the user had goes on. */
  readonly opened: OpenedSession | undefined;
}

export async function finishOpenId(
  context: OperationContext,
  { sealed, query }: OpenIdReturn,
  sender: Sender,
): Promise<Result<FinishedOpenId>> {
  const terms = getOpenIdTerms(context);
  if (!terms.ok) return terms;
  const login = sealed && openLogin(terms.value, sealed, Math.floor(context.clock.nowMs() / 1000));
  if (!login)
    return refused(
      'invalid_login',
      'The log-in has expired, was used already, or began in another browser or at another address; start again',
    );
  const person = await redeem(context, terms.value, login, query, sender);
  if (!person.ok) return person;
  const opened = await finish(context, login, person.value, sender);
  return opened.ok ? success({ next: login.next, opened: opened.value }) : opened;
}

/** The provider's clock may be late or ahead by so much. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Failures of a browser are counted like wrong passwords, because each costs a request to the provider. */
async function redeem(
  context: OperationContext,
  { provider }: OpenIdTerms,
  login: OpenIdLogin,
  query: string,
  sender: Sender,
): Promise<Result<ProviderPerson>> {
  const { logins, monotonic } = context;
  const { network } = sender;
  const name = `openid ${login.state}`;
  const waitMs = logins.waitMs(name, network, monotonic.elapsedMs());
  if (waitMs > 0) return refuseDelayed(waitMs);
  const redeemed = await provider.redeem(query, login);
  if (!redeemed.ok) {
    if (redeemed.kind === 'rejected') {
      logins.begin(name, network, monotonic.elapsedMs());
      noteFailedLogin(context, undefined, sender, describeProvider(provider));
    }
    return refuseProvider(redeemed, provider.name);
  }
  return checkTime(context, provider, login, redeemed.value);
}

/** Refuses a time that makes no sense, such as one in milliseconds: a log-in would be fresh for ever. */
function checkTime(
  { clock }: Pick<OperationContext, 'clock'>,
  { name }: Pick<OpenIdProvider, 'name'>,
  { mustProve, startedAtSeconds }: OpenIdLogin,
  person: ProviderPerson,
): Result<ProviderPerson> {
  const { provenAtSeconds = 0 } = person;
  if (provenAtSeconds > clock.nowMs() / 1000 + CLOCK_TOLERANCE_SECONDS)
    return refused(
      'invalid_login',
      `${name} says that it has asked you in the future; one of our clocks is wrong`,
    );
  if (mustProve && provenAtSeconds < startedAtSeconds - CLOCK_TOLERANCE_SECONDS)
    return refused('invalid_login', `${name} has not asked you again who you are`);
  return success(person);
}

async function finish(
  context: OperationContext,
  login: OpenIdLogin,
  person: ProviderPerson,
  sender: Sender,
): Promise<Result<OpenedSession | undefined>> {
  switch (login.purpose) {
    case 'sign-in': {
      const user = await findUser(context, person);
      if (user === undefined) {
        noteFailedLogin(context, undefined, sender, describeProvider(person));
        return refuseIdentity();
      }
      return enter(context, login, user, person, sender);
    }
    case 'invitation': {
      const user = await acceptWithIdentity(context, login, person, await findUser(context, person), sender);
      return user.ok ? enter(context, login, user.value, person, sender) : user;
    }
    case 'confirm':
      return confirm(context, login, person, sender);
    case 'link':
      return link(context, login, person, sender);
    default:
      return unreachable(login.purpose);
  }
}

/** The user that the person has linked with its identity. */
export async function findUser(
  { store }: Pick<OperationContext, 'store'>,
  person: ProviderPerson,
): Promise<User | undefined> {
  const found = await store.people.find('identities', 'subject', [person.subject]);
  const identity = found.find((known) => isSameIdentity(known, person));
  if (identity === undefined) return undefined;
  return (await store.people.find('users', 'id', [identity.userId])).at(0);
}

/** Opens a session. The provider asks for second factors, so that no code is needed here. */
async function enter(
  context: OperationContext,
  { userId, sessionId }: OpenIdLogin,
  user: User,
  identity: ProviderPerson,
  sender: Sender,
): Promise<Result<OpenedSession>> {
  const proof = { user, passwordHash: null, identity };
  const opened = await openSession(context, proof, sender);
  if (!opened.ok || userId === null) return opened;
  // The session that the browser had ends, as with every log-in.
  const author = authorOf(context, user, sender);
  await commitWrite(context, { kind: 'endSessions', author, userId, sessionId });
  forgetUser(context, userId);
  return opened;
}

async function confirm(
  context: OperationContext,
  { userId, sessionId }: OpenIdLogin,
  { issuer, subject, provenAtSeconds }: ProviderPerson,
  sender: Sender,
): Promise<Result<undefined>> {
  const id = userId ?? '';
  const freshUntilSeconds = freshUntil(Math.floor(context.clock.nowMs() / 1000), provenAtSeconds);
  const confirmed = await commitWrite(context, {
    kind: 'confirmSession',
    author: authorOf(context, { id }, sender),
    userId: id,
    sessionId: sessionId ?? '',
    freshUntilSeconds,
    passwordHash: null,
    identity: { issuer, subject },
  });
  if (confirmed.ok) forgetUser(context, id);
  return confirmed.ok ? success(undefined) : confirmed;
}

async function link(
  context: OperationContext,
  { userId, sessionId }: OpenIdLogin,
  { issuer, subject }: ProviderPerson,
  sender: Sender,
): Promise<Result<undefined>> {
  const id = userId ?? '';
  const linked = await commitWrite(context, {
    kind: 'linkIdentity',
    author: authorOf(context, { id }, sender),
    userId: id,
    sessionId: sessionId ?? '',
    identity: { issuer, subject },
    atSeconds: Math.floor(context.clock.nowMs() / 1000),
  });
  return linked.ok ? success(undefined) : linked;
}
