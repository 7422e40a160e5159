import { optional, parseListenAddress, parsePath } from './config-parsers.ts';
import { setting } from './setting.ts';

/** All of them are needed together, see `checkConfig`. */
export const tlsSettings = {
  https: setting({
    option: '--https <address:port>',
    environment: 'ZONEWRIGHT_HTTPS',
    key: 'https',
    fallback: '',
    parse: optional(parseListenAddress),
    help: 'where the HTTP interface listens with TLS, in addition to --http; unset: nowhere',
  }),
  tlsCertificate: setting({
    option: '--tls-certificate <path>',
    environment: 'ZONEWRIGHT_TLS_CERTIFICATE',
    key: 'tls_certificate',
    fallback: '',
    parse: optional(parsePath),
    help: 'PEM file of the certificate and of those that signed it; read again when it changes',
  }),
  tlsKey: setting({
    option: '--tls-key <path>',
    environment: 'ZONEWRIGHT_TLS_KEY',
    key: 'tls_key',
    fallback: '',
    parse: optional(parsePath),
    help: 'PEM file of the private key of the certificate, without a passphrase; read again when it changes',
  }),
};
