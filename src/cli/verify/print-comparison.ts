import type { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printTable, type Columns } from '../terminal/print-list.ts';
import { countOf } from '../terminal/count-of.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { holdsDelegation, viewAsJson, type ParentView } from '../signing/parent-view.ts';
import type { FoundDifference, ZoneComparison } from './compare-zones.ts';
import { foldAlike } from './fold-alike.ts';

/** The comparison of one domain, or the reason why it failed. */
export type DomainComparison = {
  readonly domain: string;
  /** Advice for the time before the delegation changes, if the zone is signed on the other side or expected to be. */
  readonly signing: string | undefined;
  /** The DS records at the parent zone; undefined if it was not asked. */
  readonly parent: ParentView | undefined;
} & (ZoneComparison | { readonly failure: CommandFailure });

/** Keeps long data such as DKIM keys from filling the screen; `--json` prints all of it. */
const MAX_SHOWN_CHARACTERS = 60;

/** Prints the differences on stdout and remarks on stderr. */
export function printComparison(terminal: Terminal, result: DomainComparison, options: OutputOptions): void {
  const note = (line: string): void => {
    say(terminal, `${result.domain}: ${line}`);
  };
  if ('failure' in result) {
    note(result.failure.message);
    return;
  }
  const { names, differences, expected, unanswered } = result;
  for (const { name, type, here, there } of expected) {
    note(`expected difference in ${type} of ${name}: here ${show(here)}, there ${show(there)}`);
  }
  for (const { name, failure } of unanswered) note(`${name} could not be compared: ${failure.message}`);
  if (differences.length > 0) printTable(terminal, columns, rowsFor(terminal, differences, options), options);
  if (result.signing !== undefined) note(result.signing);
  const count = differences.length === 0 ? 'no differences' : countOf(differences.length, 'difference');
  note(`${count}, ${countOf(names, 'name')} compared`);
}

const columns: Columns<FoundDifference> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  'only here': ({ here }) => show(here),
  'only there': ({ there }) => show(there),
};

/** Folds similar differences on a terminal; scripts receive all of them. */
function rowsFor(
  { isInteractive }: Terminal,
  differences: readonly FoundDifference[],
  { plain }: OutputOptions,
): readonly FoundDifference[] {
  if (!isInteractive || plain === true) return differences;
  return foldAlike(differences).flatMap(({ shown, more }) => {
    const last = shown.at(-1);
    return more === 0 || last === undefined
      ? shown
      : [...shown, { ...last, name: `and ${more} more (--plain)` }];
  });
}

function show(contents: readonly string[]): string {
  if (contents.length === 0) return '-';
  return contents
    .map((text) => (text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text))
    .join(', ');
}

/**
 * Differences have priority over domains that could not be compared, those over unanswered names, and those over DS
 * records at the parent zone.
 */
export function exitCodeFor(results: readonly DomainComparison[]): number {
  const compared = results.filter((result) => 'differences' in result);
  if (compared.some(({ differences }) => differences.length > 0)) return exitCodes.different;
  const failed = results.find((result) => 'failure' in result);
  if (failed !== undefined) return failed.failure.exitCode;
  const unanswered = compared.flatMap((result) => result.unanswered).at(0);
  if (unanswered !== undefined) return getFailure(unanswered.failure).exitCode;
  return compared.some((result) => holdsDelegation(result.parent, result.isSignedThere))
    ? exitCodes.problems
    : exitCodes.done;
}

/** The last line if a comparison did not succeed. */
export function summarise(results: readonly DomainComparison[]): string {
  const sentences = results.flatMap(describeFlaw);
  const more = sentences.length - MAX_SHOWN_DOMAINS;
  const shown = sentences.slice(0, MAX_SHOWN_DOMAINS).join('; ');
  return more > 0 ? `${shown}; and ${countOf(more, 'domain')} more` : shown;
}

/** Keeps the last line readable; each domain has lines of its own above it. */
const MAX_SHOWN_DOMAINS = 3;

/** `example.com differs (2 differences)`; nothing for a domain without differences. */
function describeFlaw(result: DomainComparison): readonly string[] {
  const { domain } = result;
  if ('failure' in result) return [`${domain} could not be compared`];
  const { differences, unanswered, parent, isSignedThere } = result;
  if (differences.length > 0) return [`${domain} differs (${countOf(differences.length, 'difference')})`];
  if (unanswered.length > 0) {
    return [`${domain} could not be compared completely (${countOf(unanswered.length, 'name')} unanswered)`];
  }
  return holdsDelegation(parent, isSignedThere)
    ? [
        `${domain} is not signed here, but resolvers may still expect signatures: do not change the delegation yet`,
      ]
    : [];
}

export function comparisonAsJson(result: DomainComparison): object {
  if ('failure' in result) return { domain: result.domain, error: result.failure.message };
  const { domain, names, differences, expected, unanswered, signing, parent } = result;
  return {
    domain,
    ...(signing !== undefined && { signing }),
    ...(parent && { parent: viewAsJson(parent) }),
    names,
    differences,
    expected,
    unanswered: unanswered.map(({ name, failure }) => ({ name, error: failure.message })),
  };
}
