/**
 * Circles in a graph of files: each strongly connected part of more than one file, or a file that imports itself.
 * Tarjan's algorithm.
 */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): number => {
    const index = indexes.size;
    indexes.set(file, index);
    stack.push(file);
    let low = index;
    for (const next of graph.get(file) ?? []) {
      if (!indexes.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? indexes.get(next) ?? low);
    }
    lowest.set(file, low);
    if (low === index) {
      const part = stack.splice(stack.indexOf(file));
      if (part.length > 1 || graph.get(file)?.includes(file) === true) circles.push(part.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!indexes.has(file)) visit(file);
  return circles;
}
