// Reads the content of a zone import into records. Works in steps, because a hundred thousand records take a second, and
// other requests need this thread.
import { assert } from '../base/assert.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import { nextTurn, runInSteps, visitInSteps } from '../base/steps.ts';
import { parseDomainName } from '../dns/name.ts';
import { linesOf, readZoneFile, type ZoneFileProblem } from '../dns/zone-file/read-zone-file.ts';
import type { ZoneName } from '../model/domain.ts';
import { asciiName } from '../model/idna.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { MAX_PROBLEMS, type Refusal } from '../model/refusal.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import type { SoaFields } from '../model/soa.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';
import { ImportAdjustments } from '../model/import-adjustments.ts';
import { noteSentRecord } from '../model/note-sent-record.ts';
import { ZoneFileRecords, type PlacedRecord, type SkippedRecord } from '../model/zone-file-records.ts';
import type { OperationContext } from './operation-context.ts';
import { checkClient } from './run-for-client.ts';

/** The text of a zone file, or records. */
export type ZoneContent = string | SentRecords;

export interface SentRecords {
  readonly count: number;
  /** Validated one by one during iteration, so that an oversized list is rejected without validating any record. */
  readonly records: Iterable<Result<RecordInput>>;
}

export interface ReadContent {
  readonly records: readonly DomainRecord[];
  readonly soa: SoaFields | null;
  readonly skipped: readonly SkippedRecord[];
  readonly adjustments: ImportAdjustments;
  /** For a zone file: the line and column of each record. */
  readonly places: readonly PlacedRecord[] | null;
}

/** Records read before other work gets its turn: some 5 ms. */
const RECORDS_A_STEP = 500;

/** Reports all problems at once. @param existingNameservers the names in the domain's own NS records */
export function readZoneContent(
  context: OperationContext,
  zone: ZoneName,
  content: ZoneContent,
  getSignal?: GetSignal,
  existingNameservers: readonly string[] = [],
): Promise<Result<ReadContent>> {
  return typeof content === 'string'
    ? readZoneFileText(context, zone, content, existingNameservers, getSignal)
    : readRecordList(context, zone, content, getSignal);
}

/** Replaces the positions of records in the store's problems by lines and columns of the zone file. */
export function placeProblems(refusal: Refusal, places: ReadContent['places']): Refusal {
  const { problems } = refusal;
  if (problems === undefined || places === null) return refusal;
  return {
    ...refusal,
    problems: problems.slice(0, MAX_PROBLEMS).map(({ index, ...problem }) => {
      const place = index === undefined ? undefined : places.at(index);
      return place === undefined ? problem : { ...problem, line: place.line, column: place.column };
    }),
  };
}

async function readZoneFileText(
  context: OperationContext,
  zone: ZoneName,
  text: string,
  existingNameservers: readonly string[],
  getSignal: GetSignal | undefined,
): Promise<Result<ReadContent>> {
  const pause = createPause(getSignal);
  const { recordRules, nameservers } = context.settings;
  const origin = parseDomainName(zone);
  assert(origin.ok, 'a zone name is a name');
  const reading = new ZoneFileRecords(zone, { ...recordRules, nameservers, existingNameservers });
  let count = 0;
  for (const item of readZoneFile(linesOf(text), origin.value, asciiName)) {
    if (!reading.take(item)) break;
    if (++count % RECORDS_A_STEP === 0) await pause();
    // Skipped records count too: each is kept for the answer.
    const kept = reading.records.length + reading.skipped.length;
    if (kept > MAX_ZONE_RECORDS) return refuseTooMany(kept);
  }
  const { problems, records: places, skipped, adjustments, soaPrimary, soaEmail } = reading;
  if (problems.length > 0) return refuseProblems(problems.map(malformedEntry));
  const records: DomainRecord[] = [];
  await runInSteps(visitInSteps(places, ({ record }) => records.push({ id: context.newId(), ...record })));
  const soa = { ...(soaPrimary !== null && { soaPrimary }), ...(soaEmail !== null && { soaEmail }) };
  return success({ records, soa, skipped, adjustments, places });
}

function malformedEntry(problem: ZoneFileProblem): PartProblem {
  return { ...problem, code: 'invalid_request' };
}

async function readRecordList(
  context: OperationContext,
  zone: ZoneName,
  sent: SentRecords,
  getSignal: GetSignal | undefined,
): Promise<Result<ReadContent>> {
  const pause = createPause(getSignal);
  if (sent.count > MAX_ZONE_RECORDS) return refuseTooMany(sent.count);
  const records: DomainRecord[] = [];
  const problems: PartProblem[] = [];
  const adjustments = new ImportAdjustments();
  let index = 0;
  for (const input of sent.records) {
    const record = input.ok ? parseRecord(input.value, zone, context.settings.recordRules) : input;
    if (!record.ok) problems.push(...problemsOf(record.refusal, { index }));
    else {
      records.push({ id: context.newId(), ...record.value });
      if (input.ok) noteSentRecord(adjustments, index, input.value, record.value);
    }
    if (++index % RECORDS_A_STEP === 0) await pause();
  }
  if (problems.length > 0) return refuseProblems(problems);
  return success({ records, soa: null, skipped: [], adjustments, places: null });
}

/** Lets other work run, and stops when the client has gone. */
export function createPause(getSignal: GetSignal | undefined): () => Promise<void> {
  let signal: AbortSignal | undefined;
  return async () => {
    signal ??= getSignal?.();
    await nextTurn();
    checkClient(signal);
  };
}

function refuseTooMany(count: number): Refused {
  const rule = `and one import can hold at most ${MAX_ZONE_RECORDS}: merge the rest in parts`;
  return refused('invalid_request', `At least ${count} records were sent, ${rule}`);
}
