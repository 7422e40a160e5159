/** The result of a parser: the value, or one sentence (without a full stop) that describes the problem. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function malformed(problem: string): Parsed<never> {
  return { ok: false, problem };
}
