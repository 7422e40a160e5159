import { MAX_PROBLEMS, type Problem, type Refusal, type RefusalCode } from './refusal.ts';
import type { Refused } from './result.ts';

/** A problem of one part of a request, with the code that the whole is refused with when it comes first. */
export type PartProblem = Problem & { readonly code: RefusalCode };

/** One at least. */
export function problemsOf(
  { code, message, field, besides = [] }: Refusal,
  place: Pick<Problem, 'list' | 'index'>,
): PartProblem[] {
  const first = { ...place, code, message, ...(field === undefined ? {} : { field }) };
  return [first, ...besides.flatMap((refusal) => problemsOf(refusal, place))];
}

/**
 * The refusal of a request for many things.
 *
 * @param problems one at least
 */
export function refuseProblems(problems: readonly PartProblem[]): Refused {
  const [{ code, message }] = problems;
  const several = `${problems.length} things are wrong, and nothing was changed; the first: ${message}`;
  return {
    ok: false,
    refusal: {
      code,
      message: problems.length === 1 ? message : several,
      problems: problems.slice(0, MAX_PROBLEMS),
      moreProblems: Math.max(0, problems.length - MAX_PROBLEMS),
    },
  };
}
