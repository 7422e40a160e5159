import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { OIDC_CALLBACK_PATH } from '../contract/oidc-endpoints.ts';
import { connectProvider } from '../oidc/connect-provider.ts';
import { openOpenIdTerms, type OpenIdTerms } from '../operations/open-id-terms.ts';
import type { Config } from './config-settings.ts';

/** Asks the provider nothing yet. Undefined: the operator has set none. */
export function openIdTermsOf(config: Config, log: Log): OpenIdTerms | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, publicUrl } = config;
  if (oidcIssuer === null || oidcClientId === null || oidcClientSecret === null) return undefined;
  const settings = {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    name: oidcName ?? '',
    redirectUrl: `${publicUrl ?? ''}${OIDC_CALLBACK_PATH}`,
  };
  return openOpenIdTerms(connectProvider(settings, monotonicClock, log), oidcClientSecret);
}
