import { askDelegation, type DelegationSight } from '../../dns-client/ask-delegation.ts';
import { PacedLooks, type Look, type PacedLooksOptions } from '../../dns-client/paced-looks.ts';

/** The answers of the servers of a parent zone, or the reason why nothing is known. */
export type DelegationLook = Look<DelegationSight>;

/** Registries publish a change within minutes to hours; a page that is opened again within a minute asks nobody. */
const KEPT_MS = 60_000;

/** For somebody who wants to look again: two requests of a program do not ask twice. */
export const REFRESHED_AFTER_MS = 5_000;

/** Looks how parent zones delegate the domains of customers. */
export class DelegationLooks extends PacedLooks<DelegationSight> {
  constructor(options: PacedLooksOptions) {
    super(options, { keptMs: KEPT_MS, find: askDelegation });
  }
}
