// Checks the API key, then the rate limit, before the rest of a request is read.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { MonotonicClock } from '../base/clock.ts';
import type { Caller } from '../model/account.ts';
import { authenticate } from '../operations/authenticate.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { answerError, type Answer } from './answer.ts';
import { findBearerToken } from './bearer-token.ts';
import { clientNetwork } from './client-network.ts';
import { anonymousRequests } from './limits.ts';
import { createRateLimiter, type Quota } from './rate-limiter.ts';

export interface Admission {
  /** Authenticates a request and counts it: by key, or by address if it has no valid key. */
  admit(message: IncomingMessage): Promise<Admitted>;
  /** Counts a request without a key by the client's address. */
  readonly countAnonymous: (address: string | undefined) => Quota;
}

export interface Admitted {
  readonly caller: Caller | null;
  /** Null if requests are not limited. */
  readonly quota: Quota | null;
  /** Undefined if the request is admitted. */
  readonly refusal: Answer | undefined;
}

/**
 * @param requestsPerSecond per key; 0 for no limit
 * @param onCaller called for each request with a valid key
 */
export function createAdmission(
  context: OperationContext,
  requestsPerSecond: number,
  onCaller: (socket: Socket) => void = () => undefined,
): Admission {
  const { monotonic: clock } = context;
  const countAnonymous = createAnonymousCount(clock);
  const perKey =
    requestsPerSecond > 0
      ? createRateLimiter('default', { quota: requestsPerSecond, windowSeconds: 1 })
      : undefined;

  return {
    countAnonymous,
    async admit(message) {
      const keyText = findBearerToken(message);
      const caller = keyText === undefined ? undefined : await authenticate(context, keyText);
      if (caller === undefined) {
        const quota = countAnonymous(message.socket.remoteAddress);
        return { caller: null, quota, refusal: findRateRefusal(quota) ?? invalidKey };
      }
      onCaller(message.socket);
      const quota = perKey?.take(caller.keyId, clock.elapsedMs()) ?? null;
      return { caller, quota, refusal: quota === null ? undefined : findRateRefusal(quota) };
    },
  };
}

/** Counts by network. Clients with an unknown address share one count. */
export function createAnonymousCount(clock: MonotonicClock): Admission['countAnonymous'] {
  const perAddress = createRateLimiter('address', anonymousRequests);
  return (address) => perAddress.take(clientNetwork(address), clock.elapsedMs());
}

const invalidKey = answerError({
  code: 'invalid_key',
  message: 'A valid API key is required: Authorization: Bearer <key>',
});

/** Returns undefined if the request is within the limit. */
export function findRateRefusal(quota: Quota): Answer | undefined {
  const seconds = quota.retryAfterSeconds;
  if (seconds === 0) return undefined;
  const message = `Too many requests, try again in ${seconds} second${seconds === 1 ? '' : 's'}`;
  return answerError({ code: 'rate_limited', message }, ['Retry-After', String(seconds)]);
}
