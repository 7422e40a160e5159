import type { OwnerSeen, Rollover } from '../dnssec/rollover.ts';
import { hasAnswer, type ParentLook } from './parent-looks.ts';

/** Stands in the place of a nameserver where the owner of a domain has said which DS records its parent zone has. */
export const OWNER = 'owner';

/**
 * The parent zone as the owner of a domain has said, if none of its servers answers; otherwise the look itself. A look that
 * could not begin says nothing about the servers.
 *
 * @param domain lower case, without the final dot
 */
export function orOwnersWord(
  look: ParentLook,
  rollover: Pick<Rollover, 'seen'> | null | undefined,
  domain: string,
): ParentLook {
  const seen = rollover?.seen;
  const isBusy = look.kind === 'unknown' && look.isBusy === true;
  return seen === undefined || isBusy || hasAnswer(look) ? look : ownersWord(seen, domain);
}

function ownersWord({ ds, ttlSeconds: ttl, atSeconds }: OwnerSeen, domain: string): ParentLook {
  const parent = domain.slice(domain.indexOf('.') + 1);
  const servers = [{ name: OWNER, address: undefined, ds, ttl }];
  return { kind: 'asked', sight: { parent, servers, maxTtl: ttl }, atMs: 1000 * atSeconds };
}
