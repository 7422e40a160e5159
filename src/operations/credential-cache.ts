// A cache of what keys and sessions stand for, by the hash of their text, so that most requests need no query to the store.

/** About 300 bytes each: 3 MB. */
const MAX_CACHED = 10_000;

/** How long a revocation by another process can go unnoticed. Revocations by this process take effect immediately. */
const LIFETIME_MS = 5_000;

export interface CredentialCache<Found> {
  find(hash: string, nowMs: number): Found | undefined;
  /** @param generation the value of `generation()` before the query to the store */
  remember(hash: string, found: Found, nowMs: number, generation: number): void;
  /** Increases with every revocation. */
  generation(): number;
  /** Removes what was revoked, and prevents lookups in progress from being cached. */
  forget(isRevoked: (found: Found) => boolean): void;
}

export function createCredentialCache<Found>(): CredentialCache<Found> {
  const cached = new Map<string, { readonly found: Found; readonly expiresAtMs: number }>();
  let generation = 0;
  return {
    find(hash, nowMs) {
      const entry = cached.get(hash);
      return entry !== undefined && nowMs < entry.expiresAtMs ? entry.found : undefined;
    },
    remember(hash, found, nowMs, asOf) {
      if (asOf !== generation) return;
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(hash, { found, expiresAtMs: nowMs + LIFETIME_MS });
    },
    generation: () => generation,
    forget(isRevoked) {
      generation += 1;
      for (const [hash, { found }] of cached) if (isRevoked(found)) cached.delete(hash);
    },
  };
}
