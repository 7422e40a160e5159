/** A string has a header, rounding, and where it was cut from a longer one, a second header. */
const STRING_OCTETS = 56;

/** An object or array has a header, and the array of its elements another one. */
const OBJECT_OCTETS = 48;

/** A property or element: a pointer, or a number. */
const MEMBER_OCTETS = 16;

/**
 * Returns about how many octets of memory a value takes: rather more than less for text in ASCII. The value is made of plain
 * objects, arrays, strings, numbers and the like, without circles; what it has twice counts twice.
 */
export function heapOctets(value: unknown): number {
  if (typeof value === 'string') return STRING_OCTETS + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let octets = OBJECT_OCTETS;
  for (const member of Object.values(value)) octets += MEMBER_OCTETS + heapOctets(member);
  return octets;
}
