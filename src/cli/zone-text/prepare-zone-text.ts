import { ApiError } from '../../client/api-error.ts';
import type { AdjustedJson, ImportJson } from '../../contract/response-shapes.ts';
import type { DomainName } from '../../dns/name.ts';
import { readCloudflareExport, type CloudflareExport } from './cloudflare-export.ts';
import { expandIncludes, type LinePlace } from './expand-includes.ts';

/** A zone file as the service takes it. */
export interface PreparedText extends CloudflareExport {
  /** The origins of the lines, if they are not those of the file. */
  readonly places: readonly LinePlace[] | undefined;
}

/** The file's place, for `$INCLUDE`. */
export interface ZoneTextPlace {
  readonly path: string;
  /** Included files must be inside it. */
  readonly folder: string;
  readonly origin: DomainName;
}

/**
 * Resolves what only the command line can resolve: included files, and the peculiarities of Cloudflare's export. All
 * other text stays as it is.
 *
 * @param place undefined for a text that comes from no file, which cannot include any
 * @throws CommandFailure if a file cannot be included
 */
export function prepareZoneText(text: string, place: ZoneTextPlace | undefined): PreparedText {
  const exported = readCloudflareExport(text);
  if (exported !== undefined) return { ...exported, places: undefined };
  const expanded = place && expandIncludes(text, place);
  return { text: expanded?.text ?? text, places: expanded?.places, notes: [], skipped: [] };
}

/** Moves a line number of the prepared text to the file that has the line. */
export function locate<T extends object>(item: T, places: PreparedText['places']): T {
  const { line } = item as { readonly line?: unknown };
  const place = typeof line === 'number' ? places?.[line] : undefined;
  return place === undefined ? item : { ...item, ...place };
}

/** The same answer to an import, with skipped and adjusted records at the lines of the files. */
export function locateEntries<T extends Partial<Pick<ImportJson, 'set_aside' | 'adjusted'>>>(
  answer: T,
  places: PreparedText['places'],
): T {
  const { set_aside: skipped, adjusted } = answer;
  const locateExamples = (kind: AdjustedJson): AdjustedJson => ({
    ...kind,
    examples: kind.examples.map((example) => locate(example, places)),
  });
  return {
    ...answer,
    ...(skipped && { set_aside: skipped.map((entry) => locate(entry, places)) }),
    ...(adjusted && { adjusted: adjusted.map(locateExamples) }),
  };
}

/** The same error, with the problems at the lines of the files. */
export function locateProblems(error: unknown, places: PreparedText['places']): unknown {
  if (!(error instanceof ApiError) || places === undefined) return error;
  return error.withProblems(error.problems.map((problem) => locate(problem as object, places)));
}
