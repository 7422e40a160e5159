import type { ProblemJson } from '../../contract/response-shapes.ts';

/**
 * `line 3, column 5: …` in a zone file, with the name of an included one in front, `line 20, create 18, ttl: …` in a
 * batch. All are counted from 1; the service counts the members of a batch from 0, as JSON does.
 */
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
  const place = [
    file,
    line && `line ${line}`,
    column && `column ${column}`,
    [list, index === undefined ? undefined : index + 1].filter((word) => word !== undefined).join(' '),
    field,
  ];
  const words = place.filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? message : `${words.join(', ')}: ${message}`;
}
