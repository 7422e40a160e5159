import { askDelegation, type DelegationSight } from '../../dns-client/ask-delegation.ts';
import { PacedLooks, type PacedLooksOptions, type UnknownLook } from '../../dns-client/paced-looks.ts';

/** The answers of the servers of a parent zone, or the reason why nothing is known. */
export type DelegationLook = AskedDelegation | UnknownLook;

export interface AskedDelegation {
  readonly kind: 'asked';
  readonly sight: DelegationSight;
  readonly atMs: number;
}

/** Registries publish a change within minutes to hours; a page that is opened again within a minute asks nobody. */
const KEPT_MS = 60_000;

/** For somebody who wants to look again: two requests of a program do not ask twice. */
export const REFRESHED_AFTER_MS = 5_000;

/** Looks how parent zones delegate the domains of customers. */
export class DelegationLooks extends PacedLooks<AskedDelegation> {
  constructor(options: PacedLooksOptions) {
    super(options, {
      keptMs: KEPT_MS,
      find: async (domain, lookup) => {
        const sight = await askDelegation(domain, lookup);
        return { kind: 'asked', sight, atMs: options.clock.nowMs() };
      },
    });
  }
}
