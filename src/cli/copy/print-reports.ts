import type { OutputOptions } from '../terminal/output-options.ts';
import { printTable, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { totalsOf, type DomainReport } from './copy-report.ts';

/** A line a domain. */
export function printReports(
  terminal: Terminal,
  reports: readonly DomainReport[],
  options: OutputOptions,
): void {
  printTable(terminal, columns, reports, options);
}

const columns: Columns<DomainReport> = {
  domain: ({ domain }) => domain,
  state: ({ status, isNew }) => (status !== 'planned' ? status : isNew ? 'new' : 'change'),
  create: ({ difference }) => String(difference.created),
  update: ({ difference }) => String(difference.updated),
  delete: ({ difference }) => String(difference.deleted),
  unchanged: ({ difference }) => String(difference.unchanged),
  'set aside': ({ difference, setAside }) => String(setAside.length + difference.setAside.length),
  problems: ({ problems }) => String(problems.length),
};

/** On stderr what a person has to read beside the table: problems, what is set aside and why, warnings and notes. */
export function complainAbout(terminal: Terminal, reports: readonly DomainReport[]): void {
  const lines: Line[] = reports.flatMap(({ domain, difference, setAside, notes, problems }) => [
    ...problems.map((text) => ({ domain, kind: 'problem', text })),
    ...[...setAside, ...difference.setAside].map(({ record, reason }) => ({
      domain,
      kind: `set aside, ${reason}`,
      text: record,
    })),
    ...difference.warnings.map((text) => ({ domain, kind: '', text })),
    ...notes.map((text) => ({ domain, kind: 'note', text })),
  ]);
  const byKind = new Map<string, Line[]>();
  for (const line of lines) addTo(byKind, line);
  for (const [kind, alike] of byKind) {
    for (const line of describeAlike(kind, alike)) say(terminal, line);
  }
}

function addTo(byKind: Map<string, Line[]>, line: Line): void {
  const alike = byKind.get(line.kind);
  if (alike === undefined) byKind.set(line.kind, [line]);
  else alike.push(line);
}

interface Line {
  readonly domain: string;
  readonly kind: string;
  readonly text: string;
}

/** Of lines that say the same of many records; `--json` has them all. */
const MAX_SHOWN_ALIKE = 20;

function describeAlike(kind: string, lines: readonly Line[]): readonly string[] {
  const prefix = kind === '' ? '' : `${kind}: `;
  const shown = lines.slice(0, MAX_SHOWN_ALIKE).map(({ domain, text }) => `${domain}: ${prefix}${text}`);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${more} more like these; --json shows all`];
}

/** One line at the end, on stderr as all that is said to a person. */
export function summarise(reports: readonly DomainReport[], isApplied: boolean): string {
  const { domains, failed, left, changed, created, updated, deleted, unchanged } = totalsOf(reports);
  if (changed === 0 && (left > 0 || domains === failed)) return 'nothing was changed';
  if (changed === 0) {
    const same = `${countOf(domains - failed, 'domain')}, ${countOf(unchanged, 'record')}`;
    return `nothing to change: all is as at the source (${same})`;
  }
  const records = `${countOf(created, 'record')} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  return isApplied
    ? `${countOf(changed, 'domain')} copied: ${records}`
    : `nothing was changed; ${countOf(changed, 'domain')} would be`;
}

/** `1 domain`, `2 domains`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
