import { UNVERIFIED_SECONDS } from '../model/claim.ts';
import type { UnverifiedDomain } from '../store/claim-reads.ts';

export interface WatchedLimits {
  readonly domains: number;
  readonly ofAccount: number;
  readonly expiredAtOnce: number;
}

export interface WatchedTerms {
  readonly limits: WatchedLimits;
  readonly nowMs: number;
  /** Expired domains are taken from here on: those before had their turn. */
  readonly expiredAfterId: number;
}

/**
 * The unverified domains that one pass of the watch works on, of all that are read. An account that has many takes no
 * place from others: if there are too many in all, each account is left with fewer, down to one.
 */
export class WatchedDomains {
  /** Whether there are more accounts than places, so that nothing of some is kept. */
  isFull = false;
  /** Domains that were unverified for too long. */
  readonly expired: UnverifiedDomain[] = [];
  private readonly terms: WatchedTerms;
  private readonly byAccount = new Map<string, UnverifiedDomain[]>();
  /** The most domains of one account that are kept. */
  private share: number;
  private kept = 0;
  private leftOut = 0;

  constructor(terms: WatchedTerms) {
    this.terms = terms;
    this.share = terms.limits.ofAccount;
  }

  /** How many were added. */
  get count(): number {
    return this.kept + this.leftOut;
  }

  /** Those that wait the shortest time come last, and are left out in an account that has many. */
  add(domain: UnverifiedDomain): void {
    const { expiredAtOnce, domains } = this.terms.limits;
    if (this.isExpired(domain) && this.expired.length < expiredAtOnce) this.expired.push(domain);
    const ofAccount = this.byAccount.get(domain.accountId) ?? [];
    while (ofAccount.length < this.share && this.kept >= domains && this.share > 1) this.halveShare();
    if (ofAccount.length >= this.share) this.leftOut++;
    else if (this.kept >= domains) {
      this.leftOut++;
      this.isFull = true;
    } else {
      ofAccount.push(domain);
      this.byAccount.set(domain.accountId, ofAccount);
      this.kept++;
    }
  }

  /** The domains to look at, one account after the other. */
  all(): readonly UnverifiedDomain[] {
    return [...this.byAccount.values()].flat();
  }

  private isExpired({ id, sinceSeconds }: UnverifiedDomain): boolean {
    const { nowMs, expiredAfterId } = this.terms;
    return id > expiredAfterId && nowMs >= (sinceSeconds + UNVERIFIED_SECONDS) * 1000;
  }

  private halveShare(): void {
    this.share = Math.ceil(this.share / 2);
    for (const domains of this.byAccount.values()) {
      const excess = domains.splice(this.share).length;
      this.kept -= excess;
      this.leftOut += excess;
    }
  }
}
