/** Enough that no two requests ever share one. */
const KEY_BYTES = 16;

/** Names one request, so that its repeat is known for one. Browsers give `randomUUID` to https alone, these bytes to all. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
