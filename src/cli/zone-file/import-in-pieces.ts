import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import type { AdjustedJson } from '../../contract/response-shapes.ts';
import type { DomainName } from '../../dns/name.ts';
import { isProblem, type ZoneFileProblem } from '../../dns/zone-file/read-zone-file.ts';
import { complainAbout } from '../plan/print-changes.ts';
import { writeOptionsOf } from '../plan/change-options.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { checkAnswerable, isConfirmed } from '../plan/confirm.ts';
import { describeProblem } from '../failures/describe-problem.ts';
import { getZoneName } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Input } from '../input/open-input.ts';
import { printJson } from '../terminal/print-list.ts';
import { readZonePieces, type ZonePiece } from './read-zone-pieces.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import { say } from '../terminal/say.ts';
import { withProgress } from '../terminal/show-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { PlanOptions } from '../plan/write-as-planned.ts';

/**
 * Imports a zone file that is too large for one request. It is read twice: first to find mistakes, then to merge it
 * piece by piece. Each piece is all or nothing. Repeating an interrupted import is safe: what is already there stays
 * unchanged.
 */
type Options = PlanOptions & { readonly replace?: boolean };

/** The shortest record has eleven octets, so that a smaller file cannot exceed the limit of records. */
const SMALL_BYTES = 2 * 2 ** 20;

/** The service's limit of records per request. */
const MAX_WHOLE_RECORDS = 200_000;

/**
 * Takes the service about a second, during which other writers wait. Smaller pieces would make it check the growing
 * zone more often.
 */
const PIECE_RECORDS = 25_000;

/** One piece is prepared while the other is being sent. */
const PIECES_AT_ONCE = 2;

/** Limit of printed mistakes per file. */
const MAX_SHOWN_PROBLEMS = 100;

/**
 * Returns the number of records of a file that must be merged in pieces, or undefined if one request is enough. A
 * replacement is always one request, because the service compares whole zones.
 *
 * @throws CommandFailure if a large file has mistakes, after one line on stderr for each
 */
export function countForPieces(
  terminal: Terminal,
  domain: string,
  input: Input,
  { replace }: Options,
): number | undefined {
  if (replace === true) {
    checkSize(input);
    return undefined;
  }
  if (input.sizeBytes <= SMALL_BYTES) return undefined;
  const count = countRecords(terminal, input, getZoneName(domain));
  return count > MAX_WHOLE_RECORDS || input.sizeBytes > MAX_ZONE_BODY_BYTES ? count : undefined;
}

/** @param total as returned by `countForPieces` */
export async function importInPieces(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  input: Input,
  total: number,
  options: Options,
): Promise<void> {
  checkAnswerable(options, terminal);
  checkPossible(input, options);
  if (options.create !== true) await client.domains.get(domain);
  if (options.yes !== true && options.dryRun !== true) {
    const question = `Merge ${total} records of ${input.name} into ${domain}, ${PIECE_RECORDS} at a time?`;
    if (!(await isConfirmed(terminal, question))) {
      say(terminal, 'nothing was changed');
      return;
    }
  }
  const task = { phase: options.dryRun === true ? 'checking' : 'importing', total, unit: 'records' };
  const counts = await withProgress(terminal, task, (advance) => {
    const pieces = readZonePieces(input.lines(), getZoneName(domain), PIECE_RECORDS);
    return sendPieces(client, domain, pieces, options, advance);
  });
  report(terminal, counts, options);
}

/** @throws CommandFailure if the file is larger than one request */
function checkSize({ name, sizeBytes }: Input): void {
  if (sizeBytes <= MAX_ZONE_BODY_BYTES) return;
  const sentence = `${name} has ${sizeBytes} bytes; --replace accepts at most ${MAX_ZONE_BODY_BYTES}`;
  throw new CommandFailure(exitCodes.usage, sentence);
}

/** A revision cannot hold for all pieces, because each piece changes it. */
function checkPossible({ name }: Input, { ifMatch, ifNoneMatch }: Options): void {
  if ((ifMatch ?? ifNoneMatch) === undefined) return;
  const option = ifMatch === undefined ? '--if-none-match' : '--if-match';
  const sentence = `${name} is too large for one request and is merged in pieces`;
  throw new CommandFailure(exitCodes.usage, `${sentence}: ${option} cannot apply to all of them`);
}

/** @throws CommandFailure after one line on stderr per mistake */
function countRecords(terminal: Terminal, input: Input, origin: DomainName): number {
  let records = 0;
  let problems = 0;
  for (const piece of readZonePieces(input.lines(), origin, PIECE_RECORDS)) {
    if (!isProblem(piece)) records += piece.recordCount;
    else if (++problems <= MAX_SHOWN_PROBLEMS) say(terminal, describeProblem(piece));
  }
  if (problems === 0) return records;
  throw new CommandFailure(exitCodes.refused, `${input.name} has ${problems} mistakes; nothing was sent`);
}

interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  readonly adjusted: Map<string, AdjustedJson>;
}

async function sendPieces(
  client: ZonewrightClient,
  domain: string,
  pieces: Iterable<ZonePiece | ZoneFileProblem>,
  options: Options,
  advance: (count: number) => void,
): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, adjusted: new Map() };
  await runConcurrently(pieces, PIECES_AT_ONCE, async (piece) => {
    if (isProblem(piece)) throw changedMeanwhile;
    const {
      changes,
      set_aside: skipped = [],
      adjusted = [],
    } = await sendPiece(client, domain, piece, options);
    counts.created += changes.created.length;
    counts.updated += changes.updated.length;
    counts.unchanged += changes.unchanged;
    counts.skipped += skipped.length;
    for (const kind of adjusted) addAdjusted(counts.adjusted, kind, piece);
    advance(piece.recordCount);
  });
  return counts;
}

/** The first piece that reports a kind has the examples. */
function addAdjusted(found: Counts['adjusted'], kind: AdjustedJson, { sourceLines }: ZonePiece): void {
  const known = found.get(kind.code);
  const examples = kind.examples.map((example) =>
    example.line === undefined ? example : { ...example, line: sourceLines[example.line] },
  );
  found.set(kind.code, { ...kind, examples, ...(known && { ...known, count: known.count + kind.count }) });
}

const changedMeanwhile = new CommandFailure(exitCodes.failed, 'the file changed while it was being read');

/** Converts the line numbers of problems from the piece to the file. */
async function sendPiece(client: ZonewrightClient, domain: string, piece: ZonePiece, options: Options) {
  try {
    const { create } = options;
    return await client.zoneFiles.merge(domain, piece.text, { ...writeOptionsOf(options), create });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problems = error.problems.map((problem) => {
      const { line } = problem as { line?: unknown };
      return typeof line === 'number' ? { ...(problem as object), line: piece.sourceLines[line] } : problem;
    });
    throw error.withProblems(problems);
  }
}

function report(terminal: Terminal, counts: Counts, { json, dryRun }: Options): void {
  const { created, updated, unchanged, skipped } = counts;
  const kinds = [...counts.adjusted.values()];
  const adjusted = kinds.reduce((sum, { count }) => sum + count, 0);
  if (json === true) {
    const counted = { created, updated, unchanged, set_aside: skipped, adjusted };
    printJson(terminal, { dry_run: dryRun === true, ...counted });
    return;
  }
  complainAbout(terminal, { adjusted: kinds, warnings: [] });
  const verb = dryRun === true ? 'dry run, nothing was changed: ' : '';
  const totals = `${created} created, ${updated} updated, ${unchanged} unchanged`;
  say(terminal, `${verb}${totals}, ${skipped} skipped, ${adjusted} adjusted`);
}
