// Every bound of the HTTP server. Defaults for the internet; tests shorten the times.
import { maxBatchBodyBytes, maxZoneBodyBytes } from '../contract/body-sizes.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { maxWaitSeconds } from '../contract/propagation-query.ts';

export interface HttpLimits {
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsCheckMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly socketIdleTimeoutMs: number;
  readonly stopTimeoutMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  /** Some 15 kB each, and what it sends of headers: 220 MB at worst. */
  maxConnections: 4096,
  /**
   * The longest filter is TXT data of 4,096 octets, each shown as U+FFFD and percent-encoded in 9: 36,870 octets with its
   * quotes. All else of the longest legal request line, and the key, are under 2 kB.
   */
  maxHeaderBytes: 40_960,
  /** Headers fit into a packet or two; also cuts connections that never say anything. */
  headersTimeoutMs: 10_000,
  /** A 1 MiB body at 280 kbit/s. */
  requestTimeoutMs: 30_000,
  /** How late the two above may be noticed. */
  connectionsCheckMs: 2_000,
  /** Longer than the minute after which usual proxies and clients close: they then rarely meet a closed connection. */
  keepAliveTimeoutMs: 75_000,
  /** For clients that do not read their answer; outlasts the longest wait for an answer. */
  socketIdleTimeoutMs: (maxWaitSeconds + 15) * 1000,
  /** The process has 10 seconds to end (SIGTERM), and the store closes after HTTP. */
  stopTimeoutMs: 7_000,
};

/** Contract rule 8: 64 KiB for a record, 1 MiB otherwise. */
export const maxBodyBytes = 1_048_576;
const leastRecordBodyBytes = 65_536;

/** In JSON an octet of TXT takes at most six characters (`\u0041`); the rest of a record fits into 4 kB many times. */
function maxRecordBodyBytes(txtLimitBytes: number): number {
  return Math.max(leastRecordBodyBytes, 6 * txtLimitBytes + 4096);
}

/** @returns the limit of an endpoint's body */
export function createBodyLimits(
  txtLimitBytes: number,
): (endpoint: Pick<Endpoint, 'group' | 'carries'>) => number {
  const recordBodyBytes = maxRecordBodyBytes(txtLimitBytes);
  return ({ group, carries }) => {
    if (carries === 'zone') return maxZoneBodyBytes;
    if (carries === 'batch') return maxBatchBodyBytes;
    return group === 'Records' ? recordBodyBytes : maxBodyBytes;
  };
}

/**
 * What is read and thrown away of a body whose request was already refused: a client that sends before it reads gets
 * its answer, and nobody can keep the service reading.
 */
export const refusedBody = { maxBytes: 4 * 1_048_576, timeoutMs: 2_000 };

/** Requests without a valid key, per client address: enough for any mistake, too few to guess with. */
export const anonymousRequests = { quota: 1000, windowSeconds: 10 };

/** Keys or addresses that a limiter keeps count of; some 100 bytes each: 10 MB. */
export const maxLimitedClients = 100_000;
