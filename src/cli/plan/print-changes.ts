import type {
  ChangesJson,
  DryRunJson,
  RecordJson,
  SetAsideJson,
  WarningJson,
} from '../../contract/response-shapes.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printJson, printTable, type Columns } from '../terminal/print-list.ts';
import { formatName, contentColumns } from '../terminal/record-columns.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** One record that was changed, or would be. */
interface ChangedRecord {
  readonly sign: '+' | '~' | '-';
  /** Undefined: it was not there. */
  readonly before: RecordJson | undefined;
  /** Undefined: it is there no more. */
  readonly after: RecordJson | undefined;
}

const columns: Columns<ChangedRecord> = {
  change: ({ sign }) => sign,
  ...Object.fromEntries(
    Object.entries(contentColumns).map(([title, cell]) => [
      title,
      ({ before, after }: ChangedRecord): string => {
        const [was, is] = [before && cell(before), after && cell(after)];
        return was === undefined || is === undefined || was === is ? (is ?? was ?? '') : `${was} -> ${is}`;
      },
    ]),
  ),
};

export const warningColumns: Columns<WarningJson> = {
  severity: ({ severity }) => severity,
  name: ({ name }) => formatName(name),
  type: ({ type }) => type ?? '-',
  warning: ({ message }) => message,
};

/** Rows: + created, ~ updated, - deleted. */
export function printChanges(
  terminal: Terminal,
  { created, updated, deleted }: ChangesJson,
  options: Pick<OutputOptions, 'plain'>,
): void {
  const rows: ChangedRecord[] = [
    ...deleted.map((before) => ({ sign: '-' as const, before, after: undefined })),
    ...updated.map(({ before, after }) => ({ sign: '~' as const, before, after })),
    ...created.map((after) => ({ sign: '+' as const, before: undefined, after })),
  ];
  if (rows.length > 0) printTable(terminal, columns, rows, options);
}

/** The changes on stdout; what a person should read about them on stderr. */
export function printDryRun(terminal: Terminal, plan: DryRunJson, options: OutputOptions): void {
  if (options.json === true) return printJson(terminal, plan);
  printChanges(terminal, plan.changes, options);
  complainAbout(terminal, plan);
  const { changes } = plan;
  say(
    terminal,
    hasChanges(changes) ? `nothing was changed; it would be: ${describeCounts(changes)}` : NOTHING_TO_CHANGE,
  );
}

export const NOTHING_TO_CHANGE = 'nothing to change';

/** Lines on stderr about what was not taken and what will not work. */
export function complainAbout(
  terminal: Terminal,
  { set_aside: setAside = [], warnings }: Pick<DryRunJson, 'set_aside' | 'warnings'>,
): void {
  const lines = [...setAside.map(describeSetAside), ...warnings.map(describeWarning)];
  for (const line of lines.slice(0, MAX_SHOWN_LINES)) say(terminal, line);
  const more = lines.length - MAX_SHOWN_LINES;
  if (more > 0) say(terminal, `… and ${more} more; --json and zonewright check list them all`);
}

/** What fits on a screen beside the plan. */
const MAX_SHOWN_LINES = 20;

export function hasChanges({ created, updated, deleted, soa }: ChangesJson): boolean {
  return created.length + updated.length + deleted.length > 0 || soa !== undefined;
}

/** `3 created, 1 updated, 0 deleted, 12 unchanged` */
export function describeCounts({ created, updated, deleted, unchanged, soa }: ChangesJson): string {
  const counts = `${created.length} created, ${updated.length} updated, ${deleted.length} deleted`;
  return `${counts}, ${unchanged} unchanged${soa === undefined ? '' : ', SOA changed'}`;
}

/** `warning: www MX: …` */
export function describeWarning({ severity, name, type, message }: WarningJson): string {
  return `${severity}: ${formatName(name)}${type === null ? '' : ` ${type}`}: ${message}`;
}

function describeSetAside({ line, reason, record }: SetAsideJson): string {
  return `set aside: line ${line}: ${record}: ${reason}`;
}
