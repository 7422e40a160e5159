/** Long enough to be unique. */
const KEY_BYTES = 16;

/** Identifies a request and its repeats. Does not use `randomUUID`, which browsers offer only to https pages. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
