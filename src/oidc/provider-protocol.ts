// OpenID Connect by the library, which checks issuer, audience, nonce, time and algorithm of ID tokens. Loaded on first use.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
} from 'openid-client';
import { parseSubject } from '../model/identity.ts';
import type { LoginSecrets, ProviderPerson, ProviderSettings } from './open-id-provider.ts';
import { ANSWER_SECONDS, createProviderFetch } from './provider-fetch.ts';
import { isLoopback, isProviderUrl } from './provider-url.ts';

/** The provider as it describes itself. */
export type ProviderConnection = Configuration;

/** Clocks of providers differ by so much. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** A person may take so long at the provider; the cookie of the log-in ends then. */
const LOGIN_SECONDS = 600;

/**
 * With any age, the ID token has to say when the person was asked (OpenID Connect Core section 3.1.2.1). A year: nobody is asked more
 * often than the provider does by itself.
 */
const ANY_AGE_SECONDS = 31_536_000;

/** The same for providers that support it (section 5.5); some go by this alone. */
const AUTH_TIME_CLAIM = JSON.stringify({ id_token: { auth_time: { essential: true } } });

const SCOPE = 'openid email profile';

/** Reads the provider's own description. Rejects if there is none, or one that makes no sense. */
export async function discover(settings: ProviderSettings): Promise<ProviderConnection> {
  const server = new URL(settings.issuer);
  const allowsLoopback = isLoopback(server);
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  return discovery(server, settings.clientId, metadata, authenticationWith(settings.clientSecret), {
    timeout: ANSWER_SECONDS,
    [customFetch]: createProviderFetch(allowsLoopback) as never,
    // The signatures of ID tokens are checked as well, although they arrive over TLS. Plain HTTP, which is marked as deprecated to
    // make it stand out, is allowed by `createProviderFetch` on this machine only.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    execute: [enableNonRepudiationChecks, ...(allowsLoopback ? [allowInsecureRequests] : [])],
  });
}

/** As the provider wants it (OpenID Connect Core section 9). */
function authenticationWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** Returns the address of the log-in page. */
export async function authorizationUrl(
  connection: ProviderConnection,
  { redirectUrl, issuer }: ProviderSettings,
  { state, nonce, codeVerifier, mustProve }: LoginSecrets,
): Promise<string> {
  const url = buildAuthorizationUrl(connection, {
    redirect_uri: redirectUrl,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(mustProve ? { prompt: 'login', max_age: '0' } : { max_age: String(ANY_AGE_SECONDS) }),
    ...(connection.serverMetadata().claims_parameter_supported === true && { claims: AUTH_TIME_CLAIM }),
  });
  if (!isProviderUrl(url, isLoopback(new URL(issuer))))
    throw new TypeError(`The provider names ${url.origin}, which is not an https address`);
  return url.href;
}

/** Exchanges the code for the person. Rejects if anything about it is not right. */
export async function redeemCode(
  connection: ProviderConnection,
  { redirectUrl }: ProviderSettings,
  query: string,
  { state, nonce, codeVerifier, mustProve }: LoginSecrets,
): Promise<ProviderPerson> {
  const tokens = await authorizationCodeGrant(connection, new URL(`${redirectUrl}?${query}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
    // The ID token must say when the person was asked. Whether that was in this log-in is checked later.
    ...(mustProve && { maxAge: LOGIN_SECONDS }),
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new TypeError('The provider has sent no ID token');
  const { issuer } = connection.serverMetadata();
  // A provider of many organisations has one issuer for each; only one of them is meant.
  if (claims.iss !== issuer) throw new TypeError(`The ID token is from ${claims.iss}, not from ${issuer}`);
  const subject = parseSubject(claims.sub);
  if (!subject.ok) throw new TypeError(`The ID token is malformed: ${subject.problem}`);
  const about =
    claims['email'] === undefined && connection.serverMetadata().userinfo_endpoint !== undefined
      ? await fetchUserInfo(connection, tokens.access_token, claims.sub)
      : claims;
  const { auth_time: provenAtSeconds } = claims;
  return { issuer, subject: subject.value, provenAtSeconds, ...describe(about) };
}

/** Texts of any kind and length; who uses them checks them. */
function describe(about: Readonly<Record<string, unknown>>): Pick<ProviderPerson, 'verifiedEmail' | 'name'> {
  const { email, email_verified: isVerified, name } = about;
  return {
    verifiedEmail: typeof email === 'string' && isVerified === true ? email : undefined,
    name: typeof name === 'string' ? name : undefined,
  };
}
