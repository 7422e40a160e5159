/** More slips of the finger than this and the hint would be a guess. */
const MAX_EDITS = 2;

/** The known name that the given one was probably meant to be. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  return known
    .map((candidate) => ({ candidate, edits: countEdits(name, candidate) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate)
    .at(0);
}

/** Levenshtein distance: insertions, deletions and replacements of single characters between two texts. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replace = row[column] + (from[index] === to[column] ? 0 : 1);
      next.push(Math.min(replace, row[column + 1] + 1, next[column] + 1));
    }
    row = next;
  }
  return row[to.length];
}
