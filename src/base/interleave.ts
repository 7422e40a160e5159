/** The items in rounds: the first one of each group, then the second ones, and so on. Groups keep their order. */
export function interleave<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = groupOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const inTurn: T[] = [];
  let waiting = [...groups.values()];
  for (let round = 0; waiting.length > 0; round++) {
    for (const group of waiting) inTurn.push(group[round]);
    waiting = waiting.filter((group) => group.length > round + 1);
  }
  return inTurn;
}
