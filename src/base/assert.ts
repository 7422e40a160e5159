/** Our own bugs, caught where they happen. Never used for what a user or a packet sent. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Marks the branch that an exhaustive switch cannot reach. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
