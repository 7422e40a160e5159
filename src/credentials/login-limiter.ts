// Delays after failed log-ins, as this process has seen them. It knows names as they are sent, and so tells nobody whether a user exists.

import { addFailure, delayAfter, type LoginDelayRule, type LoginFailures } from '../model/login-delay.ts';

/** An attempt from a network for a name, for the name from anywhere, and from the network for any name. */
type Scope = keyof typeof scopes;

/**
 * A person mistypes a few times. The limit for a name alone is looser: otherwise anybody could lock a user out from anywhere. One
 * for a network has to leave room for an office.
 */
const scopes = {
  pair: { freeAttempts: 5, maxDelayMs: 900_000 },
  name: { freeAttempts: 50, maxDelayMs: 10_000 },
  network: { freeAttempts: 100, maxDelayMs: 60_000 },
} as const satisfies Record<string, LoginDelayRule>;

/** About 150 bytes each: 5 MB in all three. When one is full, the entries that failed the longest time ago go. */
const MAX_ENTRIES = 10_000;

export class LoginLimiter {
  private readonly failures: Readonly<Record<Scope, Map<string, LoginFailures>>> = {
    pair: new Map(),
    name: new Map(),
    network: new Map(),
  };

  /** Returns how long the client has to wait before another attempt; 0: it may try. */
  waitMs(name: string, network: string, nowMs: number): number {
    const waits = keysOf(name, network).map(([scope, key]) => {
      const entry = this.failures[scope].get(key);
      return entry === undefined ? 0 : delayAfter(entry, scopes[scope], nowMs);
    });
    return Math.max(...waits);
  }

  /** Counts an attempt as failed. Called before the password is compared, so that attempts at the same time count, too. */
  begin(name: string, network: string, nowMs: number): void {
    for (const [scope, key] of keysOf(name, network)) {
      const entries = this.failures[scope];
      const before = entries.get(key);
      entries.delete(key);
      if (entries.size >= MAX_ENTRIES) {
        const [oldest] = entries.keys();
        entries.delete(oldest);
      }
      entries.set(key, addFailure(before, nowMs));
    }
  }

  /** The attempt was right: the failures of this client and name no longer count, and the attempt itself nowhere. */
  succeed(name: string, network: string): void {
    this.failures.pair.delete(pairOf(name, network));
    this.withdraw(name, network);
  }

  /** The attempt was right as far as it went: it counts nowhere, but earlier failures do. */
  withdraw(name: string, network: string): void {
    for (const [scope, key] of keysOf(name, network)) {
      const entry = this.failures[scope].get(key);
      if (entry === undefined) continue;
      if (entry.count <= 1) this.failures[scope].delete(key);
      else this.failures[scope].set(key, { ...entry, count: entry.count - 1 });
    }
  }
}

function keysOf(name: string, network: string): readonly (readonly [Scope, string])[] {
  return [
    ['pair', pairOf(name, network)],
    ['name', name],
    ['network', network],
  ];
}

function pairOf(name: string, network: string): string {
  return `${network} ${name}`;
}
