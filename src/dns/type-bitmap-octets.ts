/** Type bitmaps on the wire (RFC 4034 section 4.1.2): windows of 256 types, one bit each, without trailing zero octets. */

/** The bits of all types of a window. */
export const WINDOW_OCTETS = 32;

/** The number of a window and the length of its bits. */
const WINDOW_HEAD_OCTETS = 2;

/** Each type begins a window of its own at worst. */
export function maxTypeBitmapOctets(types: number): number {
  return types * (WINDOW_HEAD_OCTETS + WINDOW_OCTETS);
}

/**
 * Writes the bitmap of the first `count` types and returns its end. Creates no objects.
 *
 * @param types in ascending order
 * @param into has `maxTypeBitmapOctets` left from `at`, or less where the types are known
 */
export function writeTypeBitmap(
  types: ArrayLike<number>,
  count: number,
  into: Uint8Array,
  at: number,
): number {
  let end = at;
  let next = 0;
  while (next < count) {
    const window = types[next] >>> 8;
    const bitsAt = end + WINDOW_HEAD_OCTETS;
    into[end] = window;
    end = bitsAt;
    for (; next < count && types[next] >>> 8 === window; next++) {
      const octetAt = bitsAt + ((types[next] & 0xff) >>> 3);
      while (end <= octetAt) into[end++] = 0;
      into[octetAt] |= 0x80 >>> (types[next] & 7);
    }
    into[bitsAt - 1] = end - bitsAt;
  }
  return end;
}

/** The bitmap of types in any order; repeated types count once. */
export function encodeTypeBitmap(types: Iterable<number>): Uint8Array {
  const sorted = Uint16Array.from(types).sort();
  const bitmap = new Uint8Array(maxTypeBitmapOctets(sorted.length));
  return bitmap.slice(0, writeTypeBitmap(sorted, sorted.length, bitmap, 0));
}
