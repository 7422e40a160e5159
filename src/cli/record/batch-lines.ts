// The lines of a batch's file, so that problems and warnings name the place that an editor shows.
import type { RecordChanges } from '../../client/record-batches.ts';
import type { ChangesJson, ProblemJson, RecordJson, WarningJson } from '../../contract/response-shapes.ts';

/** For each list, the line where each of its members begins, counted from 1. */
export type BatchLines = ReadonlyMap<string, readonly number[]>;

/** @param text valid JSON: an object whose members are lists */
export function findBatchLines(text: string): BatchLines {
  const lists = new Map<string, number[]>();
  let line = 1;
  let depth = 0;
  let lines: number[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line++;
    else if (token === ']' || token === '}') depth--;
    else {
      if (depth === 1 && token.startsWith('"')) lists.set(JSON.parse(token) as string, (lines = []));
      if (depth === 2) lines.push(line);
      if (token === '[' || token === '{') depth++;
    }
  }
  return lists;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}\n]|[^\s"[\]{}:,]+/g;

/** Adds the line to a problem with one member of the batch. */
export function addLine(problem: ProblemJson, lines: BatchLines): ProblemJson {
  const { list, index } = problem;
  const line = list === undefined || index === undefined ? undefined : lines.get(list)?.at(index);
  return line === undefined ? problem : { ...problem, line };
}

export interface SentBatch {
  readonly domain: string;
  readonly sent: RecordChanges;
  /** The changes that the service made of it. */
  readonly made: ChangesJson;
  readonly lines: BatchLines;
}

/** Returns undefined if no member of the batch is certain to be the one that the warning is about. */
export function findLine(warning: WarningJson, batch: SentBatch): number | undefined {
  const { made, sent, lines } = batch;
  if (made.updated.some(({ after }) => after.id === warning.record)) {
    const ids = [...(sent.update ?? [])].map(({ id }) => id);
    return lines.get('update')?.at(ids.indexOf(warning.record ?? ''));
  }
  const record = made.created.find(({ id }) => id === warning.record);
  const creates = [...(sent.create ?? [])];
  const alike = creates.filter(
    ({ name, type }) =>
      ownerOf(name, batch.domain) === warning.name.toLowerCase() &&
      (warning.type === null || type.toUpperCase() === warning.type),
  );
  const same = record && alike.find(({ data }) => isShownAs(data, record));
  const found = same ?? (record === undefined || alike.length === 1 ? alike.at(0) : undefined);
  return found && lines.get('create')?.at(creates.indexOf(found));
}

/** The name as the service shows it, in lower case. */
function ownerOf(name: string, domain: string): string {
  const owner = name.trim().toLowerCase().replace(/\.$/, '');
  const zone = domain.toLowerCase().replace(/\.$/, '');
  if (owner === '@' || owner === zone) return '';
  return owner.endsWith(`.${zone}`) ? owner.slice(0, -zone.length - 1) : owner;
}

/** The data of MX and SRV may be sent with the priority in front (contract rule 23). */
function isShownAs(sent: string, { priority, data }: RecordJson): boolean {
  return [plain(data), plain(`${priority} ${data}`)].includes(plain(sent));
}

/** Data without quotes and a final dot, which the service may show otherwise than they were sent. */
function plain(data: string): string {
  return data.trim().toLowerCase().replaceAll('"', '').replace(/\.$/, '');
}
