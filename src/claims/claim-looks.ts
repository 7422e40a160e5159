import { askClaim, type ClaimSight } from '../dns-client/ask-claim.ts';
import { PacedLooks, type Look, type PacedLooksOptions } from '../dns-client/paced-looks.ts';
import { formatDomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import { CHALLENGE_PREFIX, challengeOwner } from './challenge.ts';

/** The answers of the servers of a parent zone and of a domain, or the reason why nothing is known. */
export type ClaimLook = Look<ClaimSight>;

/** A person who has set the record looks again at once; two requests of a program do not ask twice. */
const KEPT_MS = 5_000;

/** Looks who controls the domains of customers. They say nothing of an account, so that several may want to know the same. */
export class ClaimLooks extends PacedLooks<ClaimSight> {
  constructor(options: PacedLooksOptions) {
    super(options, {
      keptMs: KEPT_MS,
      find: (domain, lookup) => {
        const shown = formatDomainName(domain).replace(/\.$/, '') as ZoneName;
        const name = challengeOwner(shown);
        const challenge = name && { name, prefix: CHALLENGE_PREFIX };
        return askClaim(domain, challenge, lookup);
      },
    });
  }
}
