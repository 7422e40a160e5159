// The problems of a body that is not the JSON that we accept.

export const NOT_JSON = 'The request body is not valid JSON';

export const HALF_PAIR = 'The request body contains half a surrogate pair';

/** Only an escape can produce half a surrogate pair, which UTF-8 cannot represent. Searches at any depth. */
export function hasHalfPair(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHalfPair);
}
