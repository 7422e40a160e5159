import { MAX_PROBLEMS, type Problem, type Refusal, type RefusalCode } from './refusal.ts';
import type { Refused } from './result.ts';

/** A problem of one part of a request; the code of the first one becomes the code of the whole refusal. */
export type PartProblem = Problem & { readonly code: RefusalCode };

/** The problems in the refusal of one part of a request; at least one. */
export function problemsOf(
  { code, message, field, besides = [] }: Refusal,
  place: Pick<Problem, 'list' | 'index'>,
): PartProblem[] {
  const first = { ...place, code, message, ...(field === undefined ? {} : { field }) };
  return [first, ...besides.flatMap((refusal) => problemsOf(refusal, place))];
}

/** Refuses a request with many parts. @param problems at least one */
export function refuseProblems(problems: readonly PartProblem[]): Refused {
  const [{ code, message }] = problems;
  const several = `${problems.length} problems, nothing was changed; the first: ${message}`;
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
