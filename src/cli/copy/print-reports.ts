import type { OutputOptions } from '../terminal/output-options.ts';
import { printTable, type Columns } from '../terminal/print-list.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { say } from '../terminal/say.ts';
import { hasChanges, printChanges } from '../plan/print-changes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DomainReport } from './copy-report.ts';

/** Prints one line per domain and, if they are listed, its changed records after it. */
export function printReports(
  terminal: Terminal,
  reports: readonly DomainReport[],
  options: OutputOptions,
): void {
  printTable(terminal, columns, reports, options);
  for (const { domain, difference } of reports) {
    if (difference.changes === undefined || !hasChanges(difference.changes)) continue;
    terminal.print(`${escapeControls(domain)}\n`);
    printChanges(terminal, difference.changes, options);
  }
}

const columns: Columns<DomainReport> = {
  domain: ({ domain }) => domain,
  state: ({ status, isNew }) => (status !== 'planned' ? status : isNew ? 'new' : 'change'),
  create: ({ difference }) => String(difference.created),
  update: ({ difference }) => String(difference.updated),
  delete: ({ difference }) => String(difference.deleted),
  unchanged: ({ difference }) => String(difference.unchanged),
  skipped: ({ difference, skipped }) => String(skipped.length + difference.skipped.length),
  problems: ({ problems }) => String(problems.length),
};

/** Prints on stderr what the table does not show: problems, deleted records, skipped records with reasons, warnings and notes. */
export function complainAbout(terminal: Terminal, reports: readonly DomainReport[]): void {
  const lines: Line[] = reports.flatMap(({ domain, status, difference, skipped, notes, problems }) => [
    ...problems.map((text) => ({ domain, kind: 'problem', text })),
    ...difference.deletedRecords.map((text) => ({
      domain,
      kind: status === 'copied' ? 'deleted' : 'to be deleted',
      text,
    })),
    ...[...skipped, ...difference.skipped].map(({ record, reason }) => ({
      domain,
      kind: `skipped, ${reason}`,
      text: record,
    })),
    ...difference.adjusted.map((text) => ({ domain, kind: 'adjusted', text })),
    ...difference.warnings.map((text) => ({ domain, kind: '', text })),
    ...notes.map((text) => ({ domain, kind: 'note', text })),
  ]);
  const byKind = new Map<string, Line[]>();
  for (const line of lines) addTo(byKind, line);
  for (const [kind, alike] of byKind) {
    for (const line of describeAlike(kind, alike)) say(terminal, line);
  }
}

/** Reasons that differ only in numbers, such as those of lines and TTLs, are one kind. */
function addTo(byKind: Map<string, Line[]>, line: Line): void {
  const kind = line.kind.replace(/\d+/g, '0');
  const alike = byKind.get(kind);
  if (alike === undefined) byKind.set(kind, [line]);
  else alike.push(line);
}

interface Line {
  readonly domain: string;
  readonly kind: string;
  readonly text: string;
}

/** Limits of similar lines; `--json` has all of them. A signed zone has some for each of its names. */
const MAX_SHOWN_ALIKE = 20;
const MAX_SHOWN_SIGNATURES = 3;

function describeAlike(kind: string, lines: readonly Line[]): readonly string[] {
  const limit = kind.includes('DNSSEC') ? MAX_SHOWN_SIGNATURES : MAX_SHOWN_ALIKE;
  const shown = lines.slice(0, limit).map(formatLine);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${more} more like these; --json lists all`];
}

function formatLine({ domain, kind, text }: Line): string {
  return kind === '' ? `${domain}: ${text}` : `${domain}: ${kind}: ${text}`;
}
