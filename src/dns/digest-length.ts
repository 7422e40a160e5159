/** Checks a digest against the length its algorithm has; algorithms that are not in the table pass with any length. */
export function checkDigestLength(
  field: string,
  octetsByAlgorithm: ReadonlyMap<number, number>,
  algorithm: number,
  octets: number,
): string | undefined {
  const expected = octetsByAlgorithm.get(algorithm);
  if (expected === undefined || octets === expected) return undefined;
  return `the ${field} has ${octets} octets, type ${algorithm} has ${expected}`;
}
