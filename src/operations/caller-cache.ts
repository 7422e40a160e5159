// Callers whose keys were looked up lately, by the key's hash, so that most requests need no look at the store.
import type { ApiKey, Caller } from '../model/account.ts';

/** Some 300 bytes each: 3 MB. */
const MAX_CACHED_CALLERS = 10_000;

/** How long another process's revocation may go unseen; this process's own are seen at once. */
const CALLER_LIFETIME_MS = 5_000;

export interface CallerCache {
  find(hash: string, nowMs: number): Caller | undefined;
  /** @param generation what `generation()` gave before the store was asked. */
  remember(key: ApiKey, nowMs: number, generation: number): Caller;
  /** Rises with every revocation. */
  generation(): number;
  /** A key was revoked: forgets it, and whatever is being looked up right now. */
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
      const caller = { accountId: key.accountId, keyId: key.id, scope: key.scope };
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
