// An OpenID Connect provider, as use cases see it.
import type { ProvenIdentity } from '../model/identity.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For people. */
  readonly name: string;
  /** The provider sends browsers back to this page. */
  readonly redirectUrl: string;
}

/** The random parts of one log-in. The provider's answer must show that it belongs to them. */
export interface LoginSecrets {
  /** Ties the answer to the browser (RFC 6749 section 10.12). */
  readonly state: string;
  /** Ties the ID token to the log-in (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
  /** Ties the code to the log-in (RFC 7636). */
  readonly codeVerifier: string;
  /** The provider has to ask the person again, and to say when it did. */
  readonly mustProve: boolean;
}

/** A person as the provider describes it. */
export interface ProviderPerson extends ProvenIdentity {
  /** When the provider has checked last who it is; undefined: it does not say. */
  readonly provenAtSeconds: number | undefined;
  /** Only if the provider says that it has verified it. */
  readonly verifiedEmail: string | undefined;
  readonly name: string | undefined;
}

/**
 * `away`: the provider does not answer, answers with nonsense, or does not accept the service. `rejected`: this log-in is not
 * valid, for example because it was cancelled.
 */
export interface ProviderFailure {
  readonly ok: false;
  readonly kind: 'away' | 'rejected' | 'busy';
  /** One sentence. */
  readonly reason: string;
}

export type ProviderResult<T> = { readonly ok: true; readonly value: T } | ProviderFailure;

export interface OpenIdProvider {
  readonly issuer: string;
  readonly name: string;
  /** Returns the address of the provider's log-in page. */
  begin(login: LoginSecrets): Promise<ProviderResult<string>>;
  /**
   * Exchanges the code that a browser brings back for the person. A code is good once.
   *
   * @param query the query of the request, without `?`
   */
  redeem(query: string, login: LoginSecrets): Promise<ProviderResult<ProviderPerson>>;
}
