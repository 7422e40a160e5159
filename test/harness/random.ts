/** Seeded randomness: a failed run can be repeated with the seed it printed. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** 0 ≤ n < limit. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: small, good enough for choosing test cases. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}

/**
 * Returns `TEST_SEED` if it is set, which repeats a run; otherwise the usual seed.
 *
 * @param usual by default a new seed each time
 */
export function chooseSeed(usual = Math.floor(Math.random() * 4294967296)): number {
  const given = process.env['TEST_SEED'];
  return given === undefined ? usual : Number(given);
}
