import { listOf, oneOf, optional, parseOrigin, parsePublicUrl } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The service as browsers see it. */
export const browserSettings = {
  corsOrigins: setting({
    option: '--cors-origins <origins>',
    environment: 'ZONEWRIGHT_CORS_ORIGINS',
    key: 'cors_origins',
    fallback: '',
    parse: optional(listOf(parseOrigin)),
    isList: true,
    help: 'origins whose pages may call the HTTP interface from a browser, such as https://console.example.net, or *; several, separated by commas',
  }),
  console: setting({
    option: '--console <on|off>',
    environment: 'ZONEWRIGHT_CONSOLE',
    key: 'console',
    fallback: 'on',
    parse: oneOf('on', 'off'),
    help: 'whether browsers get the console at /: the pages where people sign in and edit records',
  }),
  publicUrl: setting({
    option: '--public-url <origin>',
    environment: 'ZONEWRIGHT_PUBLIC_URL',
    key: 'public_url',
    fallback: '',
    parse: optional(parsePublicUrl),
    help: 'origin under which browsers reach the service, such as https://dns.example.net: for links that let people in, and for signing in behind a proxy with TLS (on this machine, or in --trusted-proxies); unset: users can sign in over --https and on this machine only',
  }),
} as const;
