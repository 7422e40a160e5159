// Rate limiting by the generic cell rate algorithm. Stores one number per client: the time at which its quota will be full
// again. Refused requests are not counted, so clients that retry too early are not punished.
import { MAX_LIMITED_CLIENTS } from './limits.ts';

/** The state of a client's limit after a request, for the response headers. */
export interface Quota {
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): `"default";q=100;w=1`. */
  readonly policy: string;
  /** `RateLimit`: `"default";r=99;t=1`, requests left and seconds until the quota is full. */
  readonly state: string;
  /** 0 if the request is within the limit. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of a client. @param nowMs monotonic time: a wall clock that is set back would lock clients out */
  take(client: string, nowMs: number): Quota;
}

/** @param limit `quota` requests in `windowSeconds`, evenly or as a burst */
export function createRateLimiter(
  name: string,
  limit: { readonly quota: number; readonly windowSeconds: number },
): RateLimiter {
  const windowMs = limit.windowSeconds * 1000;
  const intervalMs = windowMs / limit.quota;
  const policy = `"${name}";q=${limit.quota};w=${limit.windowSeconds}`;
  const fullAtMs = new Map<string, number>();

  function quota(debtMs: number, retryAfterSeconds: number): Quota {
    const left = Math.floor((windowMs - debtMs) / intervalMs);
    const state = `"${name}";r=${left};t=${Math.ceil(debtMs / 1000)}`;
    return { policy, state, retryAfterSeconds };
  }

  return {
    take(client, nowMs) {
      const owedMs = Math.max((fullAtMs.get(client) ?? 0) - nowMs, 0);
      const debtMs = owedMs + intervalMs;
      // A tolerance for rounding errors of floating-point sums.
      if (debtMs > windowMs + 0.001) {
        return quota(owedMs, Math.max(1, Math.ceil((debtMs - windowMs) / 1000)));
      }
      if (fullAtMs.size >= MAX_LIMITED_CLIENTS) forgetSome(fullAtMs, nowMs);
      fullAtMs.set(client, nowMs + debtMs);
      return quota(debtMs, 0);
    },
  };
}

/** Forgets clients with a full quota; if that frees less than half, forgets all. */
function forgetSome(fullAtMs: Map<string, number>, nowMs: number): void {
  for (const [client, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(client);
  if (fullAtMs.size > MAX_LIMITED_CLIENTS / 2) fullAtMs.clear();
}
