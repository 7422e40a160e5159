// A cache of callers by the hash of their key, so that most requests need no query to the store.
import type { ApiKey, Caller } from '../model/account.ts';
import { rightsOf } from '../model/scope-rights.ts';

/** About 300 bytes each: 3 MB. */
const MAX_CACHED_CALLERS = 10_000;

/** How long a revocation by another process can go unnoticed. Revocations by this process take effect immediately. */
const CALLER_LIFETIME_MS = 5_000;

export interface CallerCache {
  find(hash: string, nowMs: number): Caller | undefined;
  /** @param generation the value of `generation()` before the query to the store */
  remember(key: ApiKey, nowMs: number, generation: number): Caller;
  /** Increases with every revocation. */
  generation(): number;
  /** Removes a revoked key, and prevents lookups in progress from being cached. */
  revoke(keyId: string): void;
}

interface CachedCaller {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export function createCallerCache(): CallerCache {
  const cached = new Map<string, CachedCaller>();
  let generation = 0;
  return {
    find(hash, nowMs) {
      const found = cached.get(hash);
      return found !== undefined && nowMs < found.expiresAtMs ? found.caller : undefined;
    },
    remember(key, nowMs, asOf) {
      const caller = { accountId: key.accountId, keyId: key.id, rights: rightsOf(key), limits: key.limits };
      if (asOf !== generation) return caller;
      if (cached.size >= MAX_CACHED_CALLERS) cached.clear();
      cached.set(key.hash, { caller, expiresAtMs: nowMs + CALLER_LIFETIME_MS });
      return caller;
    },
    generation: () => generation,
    revoke(keyId) {
      generation += 1;
      for (const [hash, { caller }] of cached) if (caller.keyId === keyId) cached.delete(hash);
    },
  };
}
