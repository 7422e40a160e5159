// The terms of log-ins by OpenID Connect. Between two requests, a log-in is in a sealed cookie of the browser: beginning one stores nothing.
import { randomBytes } from 'node:crypto';
import { openTextSealer, type TextSealer } from '../credentials/sealed-text.ts';
import type { LoginSecrets, OpenIdProvider } from '../oidc/open-id-provider.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';

export interface OpenIdTerms {
  readonly provider: OpenIdProvider;
  readonly sealer: TextSealer;
}

/** @param clientSecret all processes of the service have it, so that any of them can end what another one has begun */
export function openOpenIdTerms(provider: OpenIdProvider, clientSecret: string): OpenIdTerms {
  return { provider, sealer: openTextSealer(clientSecret, 'zonewright OpenID Connect log-ins 1') };
}

/** `confirm`: a user who has signed in proves again who it is. */
export type OpenIdPurpose = 'sign-in' | 'confirm' | 'link' | 'invitation';

/** A log-in that has begun. */
export interface OpenIdLogin extends LoginSecrets {
  readonly purpose: OpenIdPurpose;
  readonly startedAtSeconds: number;
  /** The page that the browser is sent to at the end. */
  readonly next: string;
  /** The user who had signed in, and its session; null: nobody had. Browsers do not send its cookie when they come from the provider. */
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** The token of the invitation that is accepted; null: there is none. */
  readonly invitation: string | null;
}

/** A person types a password and a code there, or finds a security key. */
export const OPEN_ID_LOGIN_SECONDS = 600;

const SECRET_OCTETS = 32;

export function newLoginSecrets(): Pick<LoginSecrets, 'state' | 'nonce' | 'codeVerifier'> {
  const newSecret = (): string => randomBytes(SECRET_OCTETS).toString('base64url');
  return { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() };
}

export function sealLogin({ sealer }: OpenIdTerms, login: OpenIdLogin): string {
  return sealer.seal(JSON.stringify(login));
}

/** Returns undefined unless the service has sealed it lately. */
export function openLogin(
  { sealer }: OpenIdTerms,
  sealed: string,
  nowSeconds: number,
): OpenIdLogin | undefined {
  const text = sealer.open(sealed);
  if (text === undefined) return undefined;
  const login = JSON.parse(text) as OpenIdLogin;
  return nowSeconds < login.startedAtSeconds + OPEN_ID_LOGIN_SECONDS ? login : undefined;
}

export function getOpenIdTerms({
  openId,
}: {
  readonly openId?: OpenIdTerms | undefined;
}): Result<OpenIdTerms> {
  return openId === undefined ? refuseWithoutProvider() : success(openId);
}

function refuseWithoutProvider(): Refused {
  return refused('oidc_unavailable', 'The operator has not set up OpenID Connect: ZONEWRIGHT_OIDC_ISSUER');
}

const MAX_NEXT_CHARACTERS = 500;

/** A page of the service. Browsers take `//host` and `/\host` for other sites, and drop tabs and line ends. */
export function parseNext(next = '/'): Result<string> {
  if (next.length <= MAX_NEXT_CHARACTERS && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\'))
    return success(next);
  const rule = `next must be a path, such as /domains, of at most ${MAX_NEXT_CHARACTERS} characters`;
  return refused('invalid_request', rule, 'next');
}
