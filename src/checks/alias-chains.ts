// Follows the CNAME records of a zone, for loops and for chains that resolvers give up on.
import { rrType } from '../dns/codes.ts';
import { domainNameAt } from '../dns/name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { Findings } from '../model/zone-warning.ts';
import { answererOf, type IndexedZone } from './indexed-zone.ts';

/** The nameserver ends an answer after this many aliases, as many resolvers do. */
export const MAX_ALIASES = 16;

/** The aliases that are followed from a name, inside the zone. */
interface AliasChain {
  readonly length: number;
  readonly isLoop: boolean;
}

const noChain: AliasChain = { length: 0, isLoop: false };

/** Each name is followed once, however many records lead to it: the cost is linear even if all records are one chain. */
const knownChains = new WeakMap<IndexedZone, Map<OwnerKey, AliasChain>>();

export function* followAliases(index: IndexedZone, from: OwnerKey): Findings<AliasChain> {
  const known = knownChains.get(index) ?? new Map<OwnerKey, AliasChain>();
  knownChains.set(index, known);
  const path = new Set<OwnerKey>();
  let end = noChain;
  for (let at: OwnerKey | undefined = from; at !== undefined;) {
    yield;
    const chain = known.get(at);
    if (chain !== undefined || path.has(at)) {
      end = chain ?? { length: 0, isLoop: true };
      break;
    }
    const target = aliasTarget(index, at);
    if (target === undefined) break;
    path.add(at);
    at = target === null ? undefined : target;
  }
  for (const name of [...path].reverse()) {
    yield;
    end = { length: end.length + 1, isLoop: end.isLoop };
    known.set(name, end);
  }
  return end;
}

/** Returns null if the alias leads out of the zone, and undefined if there is no alias. */
function aliasTarget(index: IndexedZone, owner: OwnerKey): OwnerKey | null | undefined {
  const answering = answererOf(index, owner);
  if (!index.has(answering, rrType.CNAME)) return undefined;
  // A CNAME is the only record of its owner.
  const alias = index.owners.get(answering)?.[0];
  const target = alias && domainNameAt(alias.rdata, 0);
  return (target && index.ownerOf(target)) ?? null;
}
