import type { FoundDifference } from './compare-zones.ts';

/** Similar differences beyond this number add no information. */
const MAX_ALIKE = 3;

/** Similar differences: the first few in order, and the number of the others. */
export interface AlikeDifferences {
  readonly shown: FoundDifference[];
  more: number;
}

/**
 * Groups similar differences, in the order of their first names. A wildcard that only one side has makes every
 * guessed name differ, and hundreds of equal rows would hide the others.
 */
export function foldAlike(differences: readonly FoundDifference[]): readonly AlikeDifferences[] {
  const groups = new Map<string, AlikeDifferences>();
  for (const difference of differences) {
    const { type, here, there } = difference;
    const key = JSON.stringify([type, here, there]);
    const group = groups.get(key) ?? { shown: [], more: 0 };
    if (group.shown.length < MAX_ALIKE) group.shown.push(difference);
    else group.more++;
    groups.set(key, group);
  }
  return [...groups.values()];
}
