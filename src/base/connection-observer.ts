/** Why a connection was closed before a request was read from it. */
export type ConnectionRefusal =
  /** Its address has too many connections. */
  | 'address_limit'
  /** There are too many connections, and none makes room. */
  | 'no_room'
  | ProxyHeaderRefusal;

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
