import { parsed } from '../base/parsed.ts';
import { parseIssuer } from '../oidc/provider-url.ts';
import { optional, parseClientSecret, parseProviderName } from './config-parsers.ts';
import { setting } from './setting.ts';

/** All of them are needed together, see `checkConfig`. */
export const oidcSettings = {
  oidcIssuer: setting({
    option: '--oidc-issuer <url>',
    environment: 'ZONEWRIGHT_OIDC_ISSUER',
    key: 'oidc_issuer',
    fallback: '',
    parse: optional(parseIssuer),
    help: 'OpenID Connect provider with which users can sign in, such as https://login.example.net; unset: none',
  }),
  oidcClientId: setting({
    option: '--oidc-client-id <text>',
    environment: 'ZONEWRIGHT_OIDC_CLIENT_ID',
    key: 'oidc_client_id',
    fallback: '',
    parse: optional(parsed),
    help: 'id of this service at the OpenID Connect provider',
  }),
  oidcClientSecret: setting({
    option: '--oidc-client-secret <text>',
    environment: 'ZONEWRIGHT_OIDC_CLIENT_SECRET',
    key: 'oidc_client_secret',
    fallback: '',
    parse: optional(parseClientSecret),
    isSecret: true,
    help: 'secret of this service at the OpenID Connect provider; equal for all processes',
  }),
  oidcName: setting({
    option: '--oidc-name <text>',
    environment: 'ZONEWRIGHT_OIDC_NAME',
    key: 'oidc_name',
    fallback: '',
    parse: optional(parseProviderName),
    help: 'what your users call the OpenID Connect provider, such as Example Login',
  }),
};
