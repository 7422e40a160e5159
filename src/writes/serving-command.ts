// The commands about which domains are served, and by which nameservers. `command.ts` has all others.
import type { ClaimProof } from '../model/claim.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { WithholdReason } from '../model/withholding.ts';
import type { Author } from './author.ts';

interface SeenDomain {
  readonly author: Author;
  readonly dryRun?: undefined;
  /** Any account's. */
  readonly domain: ZoneName;
  /** As it was seen: nothing happens to a later domain of that name. */
  readonly id: number;
}

export type ServingCommand =
  | {
      /** Adds a reason for which domains are not served, or takes it from them; they are served when no reason is left. */
      readonly kind: 'withholdDomains' | 'releaseDomains';
      readonly author: Author;
      readonly dryRun?: undefined;
      /** `unverified` goes with the claim of a domain: see `settleClaim`. */
      readonly reason: Exclude<WithholdReason, 'unverified'>;
      /** As they were seen, of any account, at most `MAX_WITHHELD_AT_ONCE`. */
      readonly domains: readonly Pick<Domain, 'id' | 'name'>[];
    }
  | (SeenDomain & {
      /** Notes that control of a domain was shown; from then on it is served. */
      readonly kind: 'settleClaim';
      readonly proof: ClaimProof;
    })
  | (SeenDomain & {
      /** Serves an unverified domain, because nobody has to show control any more. */
      readonly kind: 'openClaim';
    })
  | (SeenDomain & {
      /** Deletes a domain of which nobody has shown control in time; the service itself asks for it. */
      readonly kind: 'expireClaim';
      /** As it was seen. */
      readonly sinceSeconds: number;
    })
  | {
      /** Gives an account nameservers of its own; the service itself asks for it. */
      readonly kind: 'assignNameservers';
      readonly author?: undefined;
      readonly dryRun?: undefined;
      /** Or an id of `formerNameserversId`, which keeps the set from all accounts. */
      readonly accountId: string;
      /** Sorted host names. */
      readonly names: readonly string[];
      /** Those that the account had when they were chosen; null: none. */
      readonly former: readonly string[] | null;
      /** An id of `formerNameserversId`, under which `former` is kept from all accounts: delegations to them may be left. */
      readonly formerId: string | null;
      /** Whether other accounts may have the same names, because all sets are taken. */
      readonly mayShare: boolean;
    };

export interface DomainsWithheld {
  /** Domains that did not have the reason before, or had it. */
  readonly changed: number;
}

/** The values of these commands; see `CommandValues`. */
export interface ServingValues {
  readonly withholdDomains: DomainsWithheld;
  readonly releaseDomains: DomainsWithheld;
  /** Whether the domain was unverified, and that one. */
  readonly settleClaim: { readonly settled: boolean };
  /** Whether it is served now: not if it is above or below a domain of another account. */
  readonly openClaim: { readonly settled: boolean };
  /** As with `settleClaim`. */
  readonly expireClaim: { readonly expired: boolean };
  /**
   * The nameservers that the account has: those of an earlier command if it was given some meanwhile. Null: it has none, because
   * another account was given these meanwhile.
   */
  readonly assignNameservers: { readonly names: readonly string[] | null };
}
