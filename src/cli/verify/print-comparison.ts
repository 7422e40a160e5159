import type { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { getFailure } from '../failures/find-failure.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printTable, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { FoundDifference, ZoneComparison } from './compare-zones.ts';
import { foldAlike } from './fold-alike.ts';

/** Of one domain: what was found, or why nothing could be compared. */
export type DomainComparison = { readonly domain: string } & (
  ZoneComparison | { readonly failure: CommandFailure }
);

/** A DKIM key would push everything else off the screen; `--json` has it whole. */
const MAX_SHOWN_CHARACTERS = 60;

/** The differences on stdout, all that is said about them on stderr. */
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
    note(`expected, ${type} of ${name} differs: here ${show(here)}, there ${show(there)}`);
  }
  for (const { name, failure } of unanswered) note(`${name} could not be compared: ${failure.message}`);
  if (differences.length > 0) printTable(terminal, columns, rowsFor(terminal, differences, options), options);
  const count = differences.length === 0 ? 'no differences' : `${differences.length} differences`;
  note(`${count} among ${names} names that both sides were asked for`);
}

const columns: Columns<FoundDifference> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  'only here': ({ here }) => show(here),
  'only there': ({ there }) => show(there),
};

/** A person gets those that are alike folded, a programme all. */
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

/** Differences weigh most; then domains that could not be compared; then names that got no answer. */
export function exitCodeFor(results: readonly DomainComparison[]): number {
  const compared = results.filter((result) => 'differences' in result);
  if (compared.some(({ differences }) => differences.length > 0)) return exitCodes.different;
  const failed = results.find((result) => 'failure' in result);
  if (failed !== undefined) return failed.failure.exitCode;
  const unanswered = compared.flatMap((result) => result.unanswered).at(0);
  return unanswered === undefined ? exitCodes.done : getFailure(unanswered.failure).exitCode;
}

/** The last line of a comparison that did not end well. */
export function summarise(results: readonly DomainComparison[]): string {
  const good = results.filter(
    (result) => 'differences' in result && result.differences.length + result.unanswered.length === 0,
  );
  return `${results.length - good.length} of ${results.length} domains are not proven to be the same`;
}

export function comparisonAsJson(result: DomainComparison): object {
  if ('failure' in result) return { domain: result.domain, error: result.failure.message };
  const { domain, names, differences, expected, unanswered } = result;
  return {
    domain,
    names,
    differences,
    expected,
    unanswered: unanswered.map(({ name, failure }) => ({ name, error: failure.message })),
  };
}
