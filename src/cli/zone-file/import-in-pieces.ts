import { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import type { DomainName } from '../../dns/name.ts';
import { isProblem, type ZoneFileProblem } from '../../dns/zone-file/read-zone-file.ts';
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
 * A master file that is too large for one request: read twice, first for mistakes, then merged piece by piece. Each piece
 * is all or nothing, and the whole is safe to repeat: a second run begins where the first was broken off, with what is
 * there already unchanged.
 */
type Options = PlanOptions & { readonly replace?: boolean };

/** The shortest record takes eleven octets: below this there cannot be more than the service takes at once. */
const SMALL_BYTES = 2 * 2 ** 20;

/** What the service takes as one zone. */
const MAX_WHOLE_RECORDS = 200_000;

/** A second of the service's time, for which other writers wait; smaller ones have it check the growing zone more often. */
const PIECE_RECORDS = 25_000;

/** One is prepared while the other is under way. */
const PIECES_AT_ONCE = 2;

/** Mistakes shown of a file; more of them say nothing new. */
const MAX_SHOWN_PROBLEMS = 100;

/**
 * The number of records of a file that has to be merged in pieces; undefined: it goes in one request. What replaces a zone
 * is compared as a whole, whatever its size.
 *
 * @throws CommandFailure when a large file has mistakes, after a line on stderr for each
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

/** @param total as `countForPieces` found it */
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

/** @throws CommandFailure when it is more than the service takes at once */
function checkSize({ name, sizeBytes }: Input): void {
  if (sizeBytes <= MAX_ZONE_BODY_BYTES) return;
  const sentence = `${name} has ${sizeBytes} bytes; the service compares zones of ${MAX_ZONE_BODY_BYTES} at most`;
  throw new CommandFailure(exitCodes.usage, sentence);
}

/** The revision changes with each piece. */
function checkPossible({ name }: Input, { ifMatch, ifNoneMatch }: Options): void {
  if ((ifMatch ?? ifNoneMatch) === undefined) return;
  const option = ifMatch === undefined ? '--if-none-match' : '--if-match';
  const sentence = `${name} is too large for one request and is merged in pieces`;
  throw new CommandFailure(exitCodes.usage, `${sentence}: ${option} cannot hold for all of them`);
}

/** @throws CommandFailure after a line on stderr for each mistake */
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
  setAside: number;
}

async function sendPieces(
  client: ZonewrightClient,
  domain: string,
  pieces: Iterable<ZonePiece | ZoneFileProblem>,
  options: Options,
  advance: (count: number) => void,
): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, setAside: 0 };
  await runConcurrently(pieces, PIECES_AT_ONCE, async (piece) => {
    if (isProblem(piece)) throw changedMeanwhile;
    const { changes, set_aside: setAside = [] } = await sendPiece(client, domain, piece, options);
    counts.created += changes.created.length;
    counts.updated += changes.updated.length;
    counts.unchanged += changes.unchanged;
    counts.setAside += setAside.length;
    advance(piece.recordCount);
  });
  return counts;
}

const changedMeanwhile = new CommandFailure(exitCodes.failed, 'the file was changed while it was read');

/** Mistakes come back with the lines of the piece; a person has the file. */
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
    const { status, message, code, field, more } = error;
    throw new ApiError(status, message, { code, field, problems, more });
  }
}

function report(terminal: Terminal, counts: Counts, { json, dryRun }: Options): void {
  const { created, updated, unchanged, setAside } = counts;
  if (json === true) {
    printJson(terminal, { dry_run: dryRun === true, created, updated, unchanged, set_aside: setAside });
    return;
  }
  const verb = dryRun === true ? 'nothing was changed; it would be: ' : '';
  say(
    terminal,
    `${verb}${created} created, ${updated} updated, ${unchanged} unchanged, ${setAside} set aside`,
  );
}
