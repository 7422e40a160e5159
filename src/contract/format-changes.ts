// The JSON text of changes, warnings and skipped records (contract rules 38 to 41). Changes are generated in pieces,
// because those of a whole zone are too long for one string.
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { Adjustment } from '../model/import-adjustments.ts';
import type { SkippedRecord } from '../model/zone-file-records.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import { formatChangedStrings } from './changed-strings.ts';
import { formatSoa } from './format-history.ts';
import { formatRecord } from './format-record.ts';
import { jsonString } from './json-string.ts';

export interface ShownImport {
  readonly changed: RecordsChanged;
  readonly skipped: readonly SkippedRecord[];
  readonly adjusted: readonly Adjustment[];
  readonly warnings: readonly ZoneWarning[];
}

export interface ShownPlan {
  readonly difference: RecordsChanged;
  readonly warnings: readonly ZoneWarning[];
  /** Only for a zone file. */
  readonly skipped?: readonly SkippedRecord[];
  readonly adjusted?: readonly Adjustment[];
}

/** `{"changes":{…}}`. */
export function* formatChangesReply(changed: RecordsChanged): Generator<string> {
  yield '{"changes":';
  yield* formatChanges(changed);
  yield '}';
}

/** `{"changes":{…},"set_aside":[…],"adjusted":[…],"warnings":[…]}`. */
export function* formatImportReply({ changed, skipped, adjusted, warnings }: ShownImport): Generator<string> {
  yield '{"changes":';
  yield* formatChanges(changed);
  yield ',"set_aside":';
  yield* formatList(skipped, formatSkipped);
  yield `,"adjusted":${JSON.stringify(adjusted.map(adjustmentJson))},"warnings":${formatWarnings(warnings)}}`;
}

/** `{"dry_run":true,"changes":{…},"warnings":[…],"set_aside"?:[…],"adjusted"?:[…]}`. */
export function* formatDryRunReply({
  difference,
  warnings,
  skipped,
  adjusted,
}: ShownPlan): Generator<string> {
  yield '{"dry_run":true,"changes":';
  yield* formatChanges(difference);
  yield `,"warnings":${formatWarnings(warnings)}`;
  if (skipped !== undefined) {
    yield ',"set_aside":';
    yield* formatList(skipped, formatSkipped);
  }
  if (adjusted !== undefined) yield `,"adjusted":${JSON.stringify(adjusted.map(adjustmentJson))}`;
  yield '}';
}

/** `{"warnings":[…]}`. */
export function formatWarningsReply(warnings: readonly ZoneWarning[]): string {
  return `{"warnings":${formatWarnings(warnings)}}`;
}

function formatWarnings(warnings: readonly ZoneWarning[]): string {
  return `[${warnings.map(formatWarning).join(',')}]`;
}

function* formatChanges(changed: RecordsChanged): Generator<string> {
  const { created, updated, deleted, unchanged, soa, dnsSec } = changed;
  yield '{"created":';
  yield* formatList(created, formatRecord);
  yield ',"updated":';
  yield* formatList(updated, formatUpdated);
  yield ',"deleted":';
  yield* formatList(deleted, formatRecord);
  yield `,"unchanged":${unchanged}`;
  if (soa !== undefined) {
    yield `,"soa":{"before":${formatSoa(soa.before)},"after":${formatSoa(soa.after)}}`;
  }
  if (dnsSec !== undefined) yield `,"dns_sec":${JSON.stringify(dnsSec)}`;
  yield '}';
}

/** `{"before","after","strings"?}`. */
function formatUpdated({ before, after }: RecordsChanged['updated'][number]): string {
  return `{"before":${formatRecord(before)},"after":${formatRecord(after)}${formatChangedStrings(before, after)}}`;
}

/** A piece ends with the row that reaches this length; a few rows of the longest TXT data are as long. */
const PIECE_CHARACTERS = 65_536;

function* formatList<Row>(rows: readonly Row[], formatRow: (row: Row) => string): Generator<string> {
  let piece = '[';
  for (const [index, row] of rows.entries()) {
    piece += index === 0 ? formatRow(row) : `,${formatRow(row)}`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

/** `{"code","severity","name","type","record","message"}`. */
function formatWarning({ code, severity, name, type, recordId, message }: ZoneWarning): string {
  const typeText = type === null ? 'null' : `"${formatRecordType(type)}"`;
  const record = recordId === null ? 'null' : `"${recordId}"`;
  return `{"code":"${code}","severity":"${severity}","name":${jsonString(name)},"type":${typeText},"record":${record},"message":${jsonString(message)}}`;
}

/** `{"line","reason","record"}`. */
function formatSkipped({ line, reason, record }: SkippedRecord): string {
  return `{"line":${line},"reason":${jsonString(reason)},"record":${jsonString(record)}}`;
}

/** A few kinds with a few examples each. */
function adjustmentJson({ code, count, message, examples }: Adjustment): object {
  const shown = examples.map(({ line, index, record }) => ({ line, index, record }));
  return { code, count, message, examples: shown };
}
