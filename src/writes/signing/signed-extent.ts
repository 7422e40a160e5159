import type { Denial } from '../../dns/proven-types.ts';
import type { Domain } from '../../model/domain.ts';
import type { SigningWork } from '../../model/signing-work.ts';

/** A chain of a domain, and how far its rows are kept. */
export interface ChainExtent {
  readonly denial: Denial;
  /** Names whose ids (`OwnerName`) are at or before it are in the chain. */
  readonly namesUpTo: string;
  /** NSEC3 records whose ids are at or before it are signed. */
  readonly hashesUpTo: string;
}

/** The part of a domain that is signed: all of it, unless it is signed in slices (`SigningWork`). */
export interface SignedExtent {
  /** False while the domain is signed for the first time: without its apex, the rest is of no effect. */
  readonly hasApex: boolean;
  /** The names at or before it are signed. */
  readonly namesUpTo: string;
  /** The chain of the domain; while it is changed, also the new one. */
  readonly chains: readonly ChainExtent[];
}

/** Sorts after all ids. */
const ALL = '~~';

/** Sorts before all ids. */
const NONE = '';

/** Undefined for a domain that is not signed, and is not about to be. */
export function extentOf({
  denial,
  signingWork: work,
}: Pick<Domain, 'denial' | 'signingWork'>): SignedExtent | undefined {
  const made = work === null ? undefined : chainInWork(work);
  if (denial !== null) {
    const chain = { denial, namesUpTo: ALL, hashesUpTo: ALL };
    return { hasApex: true, namesUpTo: ALL, chains: made === undefined ? [chain] : [chain, made] };
  }
  if (made === undefined) return undefined;
  return { hasApex: false, namesUpTo: made.namesUpTo, chains: [made] };
}

/** The chain that is made; undefined if none is, or if its apex is there. */
function chainInWork({ kind, walk, cursor, denial }: SigningWork): ChainExtent | undefined {
  if (denial === null || (kind !== 'sign' && kind !== 'denial')) return undefined;
  switch (walk) {
    case 'owners':
      return { denial, namesUpTo: NONE, hashesUpTo: NONE };
    case 'names':
      return { denial, namesUpTo: cursor, hashesUpTo: NONE };
    case 'hashes':
      return { denial, namesUpTo: ALL, hashesUpTo: cursor };
    case 'apex':
      return { denial, namesUpTo: ALL, hashesUpTo: ALL };
    case 'rest':
      return undefined;
  }
}

/** Whether the chain is one of those that are kept. */
export function keepsChain({ chains }: SignedExtent, denial: Denial): boolean {
  return chains.some((chain) => chain.denial === denial);
}
