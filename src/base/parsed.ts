/** What a parser gives back: the value, or one sentence (no full stop) that says what is wrong with the text. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function malformed(problem: string): Parsed<never> {
  return { ok: false, problem };
}
