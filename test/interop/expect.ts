// Comparisons that report the expected and the actual value, for a reader who sees only the failing line.

import { isDeepStrictEqual } from 'node:util';

/** Deep equality. */
export function expectEqual(seen: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(seen, wanted))
    throw new Error(`${what}\n  wanted ${JSON.stringify(wanted)}\n  saw    ${JSON.stringify(seen)}`);
}

export function expectOneOf(seen: unknown, allowed: readonly unknown[], what: string): void {
  if (!allowed.some((value) => isDeepStrictEqual(seen, value)))
    throw new Error(`${what}\n  wanted one of ${JSON.stringify(allowed)}\n  saw ${JSON.stringify(seen)}`);
}

export function expectMatch(seen: string, pattern: RegExp, what: string): void {
  if (!pattern.test(seen)) throw new Error(`${what}\n  wanted ${pattern}\n  saw    ${JSON.stringify(seen)}`);
}

/** Fails unless the call fails with a message that matches. Returns the message. */
export async function expectFailure(call: Promise<unknown>, pattern: RegExp, what: string): Promise<string> {
  const failure = await call.then(
    (value) => ({ failed: false, message: JSON.stringify(value) }),
    (error: unknown) => ({ failed: true, message: error instanceof Error ? error.message : String(error) }),
  );
  if (!failure.failed) throw new Error(`${what}: it succeeded with ${failure.message}`);
  expectMatch(failure.message, pattern, what);
  return failure.message;
}
