import type { ProblemJson } from '../../contract/response-shapes.ts';

/** `line 3, column 5: …` in a zone file, with the name of an included one in front, `create 17, ttl: …` in a batch (counted from 0, as in the request). */
export function describeProblem(problem: unknown): string {
  const {
    list,
    index,
    field,
    file,
    line,
    column,
    message = '',
  } = problem as Partial<ProblemJson> & {
    readonly file?: string;
  };
  const place =
    line === undefined
      ? [[list, index].filter((word) => word !== undefined).join(' '), field]
      : [file, `line ${line}`, column === undefined ? undefined : `column ${column}`];
  const words = place.filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? message : `${words.join(', ')}: ${message}`;
}
