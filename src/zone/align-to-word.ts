/** Rounds a size or an offset in bytes up to a whole number of words. */
export function alignToWord(bytes: number): number {
  return (bytes + 3) & ~3;
}
