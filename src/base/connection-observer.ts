/** Why the service closed a connection, before a request was read from it or for abuse. */
export type ConnectionRefusal =
  /** Its address has too many connections. */
  | 'address_limit'
  /** There are too many connections, and none makes room. */
  | 'no_room'
  /** It made requests over HTTP/2 and reset too many of them. */
  | 'stream_resets'
  | HandshakeRefusal
  | ProxyHeaderRefusal;

/** Why no connection over TLS came about. */
export type HandshakeRefusal =
  /** The client speaks no TLS, an old one, or another protocol, or does not accept the certificate. */
  | 'tls_handshake_failed'
  | 'tls_handshake_timeout'
  /** Its address has made too many handshakes. */
  | 'tls_handshake_limit';

/** Why the header of the PROXY protocol was not accepted. */
export type ProxyHeaderRefusal =
  /** The proxy sent something else. */
  | 'proxy_header_missing'
  | 'proxy_header_version_1'
  | 'proxy_header_malformed'
  | 'proxy_header_too_long'
  /** It did not arrive whole in time. */
  | 'proxy_header_timeout'
  /** Too many connections wait for theirs. */
  | 'proxy_headers_pending'
  /** The peer is not a trusted proxy. */
  | 'proxy_header_untrusted';

/** Counts connections for the metrics. */
export interface ConnectionObserver {
  connectionRefused(reason: ConnectionRefusal): void;
}
