import type { FoundDifference } from './compare-zones.ts';

/** So many differences that are alike tell a person what they are about. */
const MAX_ALIKE = 3;

/** Differences that are alike: some of them, in their order, and how many more there are. */
export interface AlikeDifferences {
  readonly shown: FoundDifference[];
  more: number;
}

/**
 * Differences for a person to read, in the order of their first names: a wildcard that only one side has makes every name
 * that was guessed differ, and hundreds of equal rows would hide the others.
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
