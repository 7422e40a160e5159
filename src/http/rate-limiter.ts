// Rate limits by the generic cell rate algorithm: one number per client, the moment at which it will have its whole
// quota back. A refused request costs nothing, so nobody is kept out for trying.
import { maxLimitedClients } from './limits.ts';

/** The state of a client's limit after a request, as response headers say it. */
export interface Quota {
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): `"default";q=100;w=1`. */
  readonly policy: string;
  /** `RateLimit`: `"default";r=99;t=1`, requests left and seconds until the quota is whole again. */
  readonly state: string;
  /** 0 when the request is within the limit. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of a client. */
  take(client: string, nowMs: number): Quota;
}

/** @param limit `quota` requests in `windowSeconds`, as a burst or spread. */
export function createRateLimiter(
  name: string,
  limit: { readonly quota: number; readonly windowSeconds: number },
): RateLimiter {
  const windowMs = limit.windowSeconds * 1000;
  const intervalMs = windowMs / limit.quota;
  const policy = `"${name}";q=${limit.quota};w=${limit.windowSeconds}`;
  const wholeAtMs = new Map<string, number>();

  function quota(debtMs: number, retryAfterSeconds: number): Quota {
    const left = Math.floor((windowMs - debtMs) / intervalMs);
    const state = `"${name}";r=${left};t=${Math.ceil(debtMs / 1000)}`;
    return { policy, state, retryAfterSeconds };
  }

  return {
    take(client, nowMs) {
      // A clock that was set back must not lock anyone out for longer than the window.
      const owedMs = Math.min(Math.max((wholeAtMs.get(client) ?? 0) - nowMs, 0), windowMs);
      const debtMs = owedMs + intervalMs;
      // A thousandth of a millisecond of mercy: the sums are floating point.
      if (debtMs > windowMs + 0.001) {
        return quota(owedMs, Math.max(1, Math.ceil((debtMs - windowMs) / 1000)));
      }
      if (wholeAtMs.size >= maxLimitedClients) forgetSome(wholeAtMs, nowMs);
      wholeAtMs.set(client, nowMs + debtMs);
      return quota(debtMs, 0);
    },
  };
}

/** Drops clients that have their whole quota anyway; when all are busy, everyone starts anew. */
function forgetSome(wholeAtMs: Map<string, number>, nowMs: number): void {
  for (const [client, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(client);
  if (wholeAtMs.size > maxLimitedClients / 2) wholeAtMs.clear();
}
