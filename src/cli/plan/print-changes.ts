import type {
  AdjustedJson,
  ChangesJson,
  DryRunJson,
  RecordJson,
  SetAsideJson,
  WarningJson,
} from '../../contract/response-shapes.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import type { Written } from '../../client/write-options.ts';
import { printJson, printTable, type Columns } from '../terminal/print-list.ts';
import { formatName, contentColumns } from '../terminal/record-columns.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** One changed record, or one that would be changed. */
interface ChangedRecord {
  readonly sign: '+' | '~' | '-';
  /** Undefined for a created record. */
  readonly before: RecordJson | undefined;
  /** Undefined for a deleted record. */
  readonly after: RecordJson | undefined;
  /** The character-strings of a TXT record, if only they change in its data. */
  readonly strings?: UpdatedJson['strings'];
}

type UpdatedJson = ChangesJson['updated'][number];

const columns: Columns<ChangedRecord> = {
  change: ({ sign }) => sign,
  ...Object.fromEntries(
    Object.entries(contentColumns).map(([title, cell]) => [
      title,
      ({ before, after, strings }: ChangedRecord): string => {
        if (title === 'data' && strings !== undefined) return `${strings.before} -> ${strings.after}`;
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

/** Prints one row per record: + created, ~ updated, - deleted. */
export function printChanges(
  terminal: Terminal,
  { created, updated, deleted }: ChangesJson,
  options: Pick<OutputOptions, 'plain'>,
): void {
  const rows: ChangedRecord[] = [
    ...deleted.map((before) => ({ sign: '-' as const, before, after: undefined })),
    ...updated.map((change) => ({ sign: '~' as const, ...change })),
    ...created.map((after) => ({ sign: '+' as const, before: undefined, after })),
  ];
  if (rows.length > 0) printTable(terminal, columns, rows, options);
}

/** Prints the changes on stdout; warnings and totals on stderr. */
export function printDryRun(terminal: Terminal, plan: DryRunJson, options: OutputOptions): void {
  if (options.json === true) return printJson(terminal, plan);
  printChanges(terminal, plan.changes, options);
  complainAbout(terminal, plan);
  const { changes } = plan;
  say(
    terminal,
    hasChanges(changes) ? `dry run, nothing was changed: ${describeCounts(changes)}` : NOTHING_TO_CHANGE,
  );
}

export const NOTHING_TO_CHANGE = 'nothing to change';

interface ImportReports {
  readonly set_aside?: DryRunJson['set_aside'] | undefined;
  readonly adjusted?: DryRunJson['adjusted'] | undefined;
  readonly warnings: DryRunJson['warnings'];
}

/** Prints skipped and adjusted records and warnings on stderr. */
export function complainAbout(
  terminal: Terminal,
  { set_aside: skipped = [], adjusted = [], warnings }: ImportReports,
): void {
  const lines = [
    ...adjusted.map((kind) => `adjusted: ${placeOf(kind.examples[0])}: ${describeAdjusted(kind)}`),
    ...skipped.map(describeSkipped),
    ...new Set(warnings.map((warning) => describeWarning(warning))),
  ];
  for (const line of lines.slice(0, MAX_SHOWN_LINES)) say(terminal, line);
  const more = lines.length - MAX_SHOWN_LINES;
  if (more > 0) say(terminal, `… and ${more} more; --json and zonewright check list them all`);
}

/**
 * Prints the warnings about a write on stderr, each once.
 *
 * @param lineOf the line of the command's input that a warning is about
 */
export function complainOfWrite(
  terminal: Terminal,
  { warnings = [], moreWarnings = 0 }: Pick<Written, 'warnings' | 'moreWarnings'>,
  lineOf: (warning: WarningJson) => number | undefined = () => undefined,
): void {
  const said = new Set<string>();
  for (const warning of warnings) {
    const sentence = describeWarning(warning);
    if (!said.has(sentence)) say(terminal, describePlaced(warning, lineOf(warning)));
    said.add(sentence);
  }
  if (moreWarnings > 0) say(terminal, `… and ${moreWarnings} more; zonewright check lists them all`);
}

/** Fits on a screen together with the plan. */
const MAX_SHOWN_LINES = 20;

export function hasChanges({ created, updated, deleted, soa, dns_sec: signing }: ChangesJson): boolean {
  const records = created.length + updated.length + deleted.length;
  return records > 0 || soa !== undefined || signing !== undefined;
}

/** `3 created, 1 updated, 0 deleted, 12 unchanged` */
export function describeCounts(changes: ChangesJson): string {
  const { created, updated, deleted, unchanged, soa, dns_sec: signing } = changes;
  const counts = `${created.length} created, ${updated.length} updated, ${deleted.length} deleted`;
  const others = [
    ...(soa === undefined ? [] : [', SOA changed']),
    ...(signing === undefined ? [] : [`, DNSSEC ${signing.after}`]),
  ];
  return `${counts}, ${unchanged} unchanged${others.join('')}`;
}

/** `warning: www MX: …` */
export function describeWarning(warning: WarningJson): string {
  return `${warning.severity}: ${aboutName(warning)}`;
}

/** `warning: line 3: www MX: …` */
function describePlaced(warning: WarningJson, line: number | undefined): string {
  if (line === undefined) return describeWarning(warning);
  return `${warning.severity}: line ${line}: ${aboutName(warning)}`;
}

function aboutName({ name, type, message }: WarningJson): string {
  return `${formatName(name)}${type === null ? '' : ` ${type}`}: ${message}`;
}

/** `www.example.com. 300 IN A 192.0.2.1 and 2 more: the file has …` */
export function describeAdjusted({ count, message, examples: [{ record }] }: AdjustedJson): string {
  return `${record}${count === 1 ? '' : ` and ${count - 1} more`}: ${message}`;
}

function describeSkipped({ reason, record, ...place }: SetAsideJson): string {
  return `skipped: ${placeOf(place)}: ${record}: ${reason}`;
}

/** `line 3` of a zone file, with the name of an included one in front; `record 3` of a list, counted from 1. */
function placeOf({ file, line, index }: Place): string {
  const place = line === undefined ? `record ${(index ?? 0) + 1}` : `line ${line}`;
  return file === undefined ? place : `${file}, ${place}`;
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly index?: number;
}
