import { askDs, type ParentDs } from '../dns-client/ask-ds.ts';
import { PacedLooks, type Look, type PacedLooksOptions } from '../dns-client/paced-looks.ts';

/** The answers of the nameservers of a parent zone, or the reason why nothing is known. */
export type ParentLook = Look<ParentDs>;

/** Whether a server of the parent zone has given a usable answer. */
export function hasAnswer(look: ParentLook): boolean {
  return look.kind === 'asked' && look.sight.servers.some((server) => 'ds' in server);
}

export type ParentLooksOptions = PacedLooksOptions;

/** A person who waits for a registrar looks again and again; a change at a parent takes minutes. */
const KEPT_MS = 30_000;

/** Looks at the DS records that parent zones have of the domains of customers. */
export class ParentLooks extends PacedLooks<ParentDs> {
  constructor(options: ParentLooksOptions) {
    super(options, { keptMs: KEPT_MS, find: askDs });
  }
}
