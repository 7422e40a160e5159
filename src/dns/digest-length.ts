/** Checks a digest against the length of its algorithm; algorithms that are not in the table allow any length. */
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

/** Digest lengths by digest type of DS and CDS (RFC 3658, RFC 4509, RFC 5933, RFC 6605). */
export const dsDigestOctets: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
]);
