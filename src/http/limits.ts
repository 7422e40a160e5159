// All limits of the HTTP server. The defaults suit the internet; tests use shorter times.
import { MAX_BATCH_BODY_BYTES, MAX_ZONE_BODY_BYTES } from '../contract/body-sizes.ts';
import type { Endpoint } from '../contract/endpoint.ts';

export interface HttpLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxPendingProxyHeaders: number;
  readonly proxyHeaderTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsCheckMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly keylessIdleMs: number;
  readonly throughputWindowMs: number;
  readonly minBytesPerSecond: number;
  readonly socketIdleTimeoutMs: number;
  readonly stopStallMs: number;
  readonly stopTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly maxStreams: number;
  readonly maxStreamsPerAddress: number;
  readonly maxStreamsPerConnection: number;
  readonly maxStreamResets: number;
  readonly streamResetsWindowMs: number;
  readonly streamWindowBytes: number;
  readonly connectionWindowBytes: number;
  readonly maxHeaderPairs: number;
  readonly maxConnectionMemoryMb: number;
}

export const defaultHttpLimits: HttpLimits = {
  /** About 15 kB each, plus its headers: at most 220 MB. With TLS and HTTP/2, about 50 kB more. */
  maxConnections: 4096,
  /** A quarter of all. A proxy that passes on many clients opens some hundreds. IPv6: for each /64. */
  maxConnectionsPerAddress: 1024,
  /** With 16 KiB each, at most 16 MB. Proxies send the header in their first packet, so few ever wait. */
  maxPendingProxyHeaders: 1024,
  /** The specification asks for three seconds or more, so that a lost packet can be sent again. */
  proxyHeaderTimeoutMs: 5_000,
  /**
   * The longest filter is TXT data of 4,096 octets, each shown as U+FFFD, which takes 9 octets percent-encoded: 36,870 octets
   * with its quotes. The rest of the longest legal request line, and the key, take less than 2 kB.
   */
  maxHeaderBytes: 40_960,
  /** Headers fit into one or two packets. Also closes connections that never send anything. */
  headersTimeoutMs: 10_000,
  /** A 1 MiB body at 280 kbit/s. */
  requestTimeoutMs: 30_000,
  /** Delay with which timeouts are detected. */
  connectionsCheckMs: 2_000,
  /** Longer than the minute after which most proxies and clients close, so that they rarely use a closed connection. */
  keepAliveTimeoutMs: 75_000,
  /** Without a valid key, a connection has no use but the next health check or download of the reference page. */
  keylessIdleMs: 8_000,
  /** Pauses of a mobile network are shorter. */
  throughputWindowMs: 10_000,
  /** For bodies and answers: 32 kbit/s. A slower client keeps memory, a slot for imports or an open snapshot. */
  minBytesPerSecond: 4_096,
  /**
   * While an answer is being made, nothing is sent. The largest import takes half a minute, several times as long on a busy
   * machine, and may wait `MAX_WAIT_SECONDS` for nameservers; clients that do not read are disconnected before, by
   * `minBytesPerSecond`.
   */
  socketIdleTimeoutMs: 300_000,
  /** The rest of a request that is on its way arrives sooner, even if a packet is lost and sent again. */
  stopStallMs: 2_000,
  /** The process has 10 seconds to end (SIGTERM), and the store closes after HTTP. */
  stopTimeoutMs: 7_000,
  /** A handshake takes two round trips, and a client that is waited for keeps a connection. */
  handshakeTimeoutMs: 10_000,
  /** Requests in progress over HTTP/2: as many as HTTP/1.1 can have, on as many connections. */
  maxStreams: 4096,
  maxStreamsPerAddress: 1024,
  /** RFC 9113 section 6.5.2 recommends no fewer, and clients open another connection for more. */
  maxStreamsPerConnection: 100,
  /** A page that searches while somebody types gives up some requests a second. */
  maxStreamResets: 200,
  streamResetsWindowMs: 10_000,
  /**
   * The longest import, 64 MiB, arrives within `requestTimeoutMs` from a client that is 100 ms away. Requests that wait for work
   * memory hold as much each: 256 of an account 64 MiB.
   */
  streamWindowBytes: 256 * 1024,
  /** Some bodies that wait for memory do not stop the others. */
  connectionWindowBytes: 1024 * 1024,
  /** Of HTTP/2. Browsers and proxies send some 40. */
  maxHeaderPairs: 128,
  /** What Node and nghttp2 keep for one connection of HTTP/2. Beyond it, requests are refused; 100 answers have 4 MB to send. */
  maxConnectionMemoryMb: 10,
};

/** Contract rule 8: 64 KiB for a record, 1 MiB otherwise. */
export const MAX_BODY_BYTES = 1_048_576;
const MIN_RECORD_BODY_LIMIT_BYTES = 65_536;

/** In JSON, an octet of TXT takes at most six characters (`\u0041`). The rest of a record is far smaller than 4 kB. */
function maxRecordBodyBytes(txtLimitBytes: number): number {
  return Math.max(MIN_RECORD_BODY_LIMIT_BYTES, 6 * txtLimitBytes + 4096);
}

/** Returns a function that gives the size limit of an endpoint's body. */
export function createBodyLimits(
  txtLimitBytes: number,
): (endpoint: Pick<Endpoint, 'group' | 'carries'>) => number {
  const recordBodyBytes = maxRecordBodyBytes(txtLimitBytes);
  return ({ group, carries }) => {
    if (carries === 'zone') return MAX_ZONE_BODY_BYTES;
    if (carries === 'batch') return MAX_BATCH_BODY_BYTES;
    return group === 'Records' ? recordBodyBytes : MAX_BODY_BYTES;
  };
}

/**
 * How much of a body is read and discarded after its request was refused. Clients that send the whole body before they read
 * get their answer, but cannot keep the service reading.
 */
export const refusedBody = { maxBytes: 4 * 1_048_576, timeoutMs: 2_000 };

/** Requests without a valid key, per client address: enough for mistakes, too few for guessing keys. */
export const anonymousRequests = { quota: 1000, windowSeconds: 10 };

/**
 * New connections over TLS, per client address: a handshake takes the processor half a millisecond with an RSA key of 2,048
 * bits, so one address can take a twentieth of it. Clients that open a connection for each request stay below.
 */
export const tlsHandshakes = { quota: 1000, windowSeconds: 10 };

/** Keys or addresses that a rate limiter counts, about 100 bytes each: 10 MB. */
export const MAX_LIMITED_CLIENTS = 100_000;
