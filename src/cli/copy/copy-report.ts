import { exitCodes } from '../exit-codes.ts';
import { getFailure } from '../find-failure.ts';
import type { OutputOptions } from '../output-options.ts';
import { printTable, type Columns } from '../print-list.ts';
import type { Terminal } from '../terminal.ts';
import type { SetAsideRecord } from './copy-source.ts';
import { noDifference, type ZoneDifference, type ZonePlan } from './copy-target.ts';

/** Where one domain stands: planned, or done. */
export interface DomainReport {
  readonly domain: string;
  readonly status: 'planned' | 'unchanged' | 'copied' | 'failed' | 'left';
  readonly isNew: boolean;
  readonly difference: ZoneDifference;
  /** Of the source; those of the service are in the difference. */
  readonly setAside: readonly SetAsideRecord[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** Of a failed domain. */
  readonly exitCode: number;
}

/** True where applying the plan would change something. */
export function hasChanges({ isNew, difference }: Pick<ZonePlan, 'isNew' | 'difference'>): boolean {
  return isNew || difference.created + difference.updated + difference.deleted > 0;
}

export function failedReport(domain: string, error: unknown): DomainReport {
  const { exitCode, message } = getFailure(error);
  return {
    domain,
    status: 'failed',
    isNew: false,
    difference: noDifference,
    setAside: [],
    notes: [],
    problems: [message],
    exitCode,
  };
}

/** Zero when all went well; the code of the failures when they are of one kind. */
export function exitCodeFor(reports: readonly DomainReport[]): number {
  const codes = new Set(reports.filter(({ status }) => status === 'failed').map(({ exitCode }) => exitCode));
  const [first = exitCodes.done] = codes;
  return codes.size > 1 ? exitCodes.failed : first;
}

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

/** What a person has to read beside the table: problems, what is set aside and why, warnings and notes. */
export function describeReports(reports: readonly DomainReport[]): readonly string[] {
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
  return [...byKind].flatMap(([kind, alike]) => describeAlike(kind, alike));
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

/** `1 domain`, `2 domains`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The one document of `--json`. */
export function reportsAsJson(source: string, isApplied: boolean, reports: readonly DomainReport[]): object {
  return {
    source,
    applied: isApplied,
    domains: reports.map(({ domain, status, isNew, difference, setAside, notes, problems }) => ({
      domain,
      status,
      new: isNew,
      created: difference.created,
      updated: difference.updated,
      deleted: difference.deleted,
      unchanged: difference.unchanged,
      set_aside: [...setAside, ...difference.setAside],
      warnings: difference.warnings,
      notes,
      problems,
    })),
    totals: totalsOf(reports),
  };
}

export interface Totals {
  readonly domains: number;
  readonly failed: number;
  /** Planned and not begun, since the copy was broken off. */
  readonly left: number;
  readonly changed: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly set_aside: number;
}

/** Domains that failed, or were left, count as domains and as that, and in nothing else. */
export function totalsOf(reports: readonly DomainReport[]): Totals {
  const failed = reports.filter(({ status }) => status === 'failed').length;
  const left = reports.filter(({ status }) => status === 'left').length;
  const good = reports.filter(({ status }) => status !== 'failed' && status !== 'left');
  const sum = (count: (report: DomainReport) => number): number =>
    good.reduce((total, report) => total + count(report), 0);
  return {
    domains: reports.length,
    failed,
    left,
    changed: good.filter(hasChanges).length,
    created: sum(({ difference }) => difference.created),
    updated: sum(({ difference }) => difference.updated),
    deleted: sum(({ difference }) => difference.deleted),
    unchanged: sum(({ difference }) => difference.unchanged),
    set_aside: sum(({ difference, setAside }) => difference.setAside.length + setAside.length),
  };
}
