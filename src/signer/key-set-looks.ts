import { askKeySets, type ServerKeySets } from '../dns-client/ask-key-sets.ts';
import { PacedLooks, type Look, type PacedLooksOptions } from '../dns-client/paced-looks.ts';

/** The keys that the nameservers of a domain publish, or the reason why nothing is known. */
export type KeySetLook = Look<readonly ServerKeySets[]>;

/** As for parent zones: providers publish a key within minutes. */
export const KEY_SETS_KEPT_MS = 30_000;

/** Looks at the keys that the nameservers of domains of customers publish, those of other providers included. */
export class KeySetLooks extends PacedLooks<readonly ServerKeySets[]> {
  constructor(options: PacedLooksOptions) {
    super(options, { keptMs: KEY_SETS_KEPT_MS, sought: 'the nameservers of the domain', find: askKeySets });
  }
}
