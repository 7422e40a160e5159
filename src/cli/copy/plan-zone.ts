/**
 * Plans what a copy changes in one domain. Besides the zone file of the source, records that an earlier copy brought
 * and that the source no longer has are part of the plan:
 *
 *     dry run of a replacement ─▶ records that the source does not have ─▶ history: who brought them? ─▶ delete or keep
 */
import { ApiError } from '../../client/api-error.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { countOf } from '../terminal/count-of.ts';
import {
  noDifference,
  readDifference,
  readProblems,
  sendZone,
  type CopyTarget,
  type ImportAnswer,
  type ZoneDifference,
  type ZoneWrite,
} from './copy-target.ts';
import type { LoadedZone } from './copy-source.ts';
import { findOrigins, type Origin } from './find-origins.ts';
import { formatKept } from './format-kept.ts';

export interface ZonePlan {
  readonly write: ZoneWrite;
  readonly difference: ZoneDifference;
  readonly kept: KeptRecords;
  /** Reasons why the plan cannot be applied, with line numbers of the zone file. */
  readonly problems: readonly string[];
}

/** Numbers of records that the source does not have and that stay. */
export interface KeptRecords {
  /** Made here, by writes that were no copies. */
  readonly here: number;
  /** Brought by a copy of another source. */
  readonly elsewhere: number;
  /** Brought by an earlier copy of this source; the user wants to keep them. */
  readonly gone: number;
  /** The history that is kept, or read, does not reach back to their origin: they may be gone at the source. */
  readonly unknown: number;
  /** The service cannot say which records the source does not have. */
  readonly uncompared: boolean;
}

export const noneKept: KeptRecords = { here: 0, elsewhere: 0, gone: 0, unknown: 0, uncompared: false };

/** Only makes dry runs. @throws ApiError or UnreachableError if the service cannot answer */
export async function planZone(
  target: CopyTarget,
  domain: string,
  { text, places }: Pick<LoadedZone, 'text' | 'places'>,
): Promise<ZonePlan> {
  const found = await findRevision(target, domain);
  const { revision } = found;
  // A new domain is merged, not replaced: if somebody has created it in the meantime, nothing is deleted that was not
  // shown.
  if (found.isNew)
    return planWrite(target, domain, { text, places, isReplacing: false, isNew: true, revision });
  const replacement = { text, places, isReplacing: true, isNew: false, revision };
  if (target.isReplacing) return planWrite(target, domain, replacement);
  const merge = { text, places, isReplacing: false, isNew: false, revision: undefined };
  const whole = await tryReplacement(target, domain, replacement);
  if (whole === undefined) return planWrite(target, domain, merge, { ...noneKept, uncompared: true });
  if (whole.changes.deleted.length === 0) return planned(target, merge, whole, noneKept);
  return planDeletions(target, domain, { merge, replacement, whole });
}

async function findRevision(
  { client }: CopyTarget,
  domain: string,
): Promise<Pick<ZoneWrite, 'isNew' | 'revision'>> {
  try {
    return { isNew: false, revision: await client.domains.revision(domain) };
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return { isNew: true, revision: undefined };
    throw error;
  }
}

const NOT_FOUND = 404;

/** Without them the domain could not be found. */
function isApexNs({ name, type }: RecordJson): boolean {
  return name === '' && type === 'NS';
}

interface DeletionTask {
  readonly merge: ZoneWrite;
  readonly replacement: ZoneWrite;
  /** The dry run of the replacement; at least one record would be deleted. */
  readonly whole: ImportAnswer;
}

async function planDeletions(
  target: CopyTarget,
  domain: string,
  { merge, replacement, whole }: DeletionTask,
): Promise<ZonePlan> {
  const { created, updated, deleted, unchanged: same } = whole.changes;
  const origins = await findOrigins(target.client, domain, deleted, target.sources);
  const from = (origin: Origin): readonly RecordJson[] =>
    deleted.filter((record) => !isApexNs(record) && origins.get(record.id) === origin);
  const [brought, here, elsewhere] = [from('this source'), from('here'), from('another source')];
  const kept = {
    here: here.length,
    elsewhere: elsewhere.length,
    gone: target.keepsDeleted ? brought.length : 0,
    unknown: from('unknown').length,
    uncompared: false,
  };
  if (brought.length === 0 || target.keepsDeleted) return planWrite(target, domain, merge, kept);
  if (created.length + updated.length + same === 0) throw emptySource(brought.length);
  if (brought.length === deleted.length) return planned(target, replacement, whole, kept);
  const staying = deleted.filter((record) => !brought.includes(record));
  const rest = await formatKept(target.client, domain, staying);
  const write = { ...replacement, text: `${replacement.text}\n${rest}` };
  const plan = await planWrite(target, domain, write, kept);
  if (plan.difference.deleted > brought.length) throw notOnlyGone;
  const unchanged = Math.max(0, plan.difference.unchanged - staying.length);
  return { ...plan, difference: { ...plan.difference, unchanged } };
}

/** A file that was cut off, or a key that may no longer read, looks like this. */
function emptySource(count: number): CommandFailure {
  const sentence = `the source has no records, and ${countOf(count, 'record')} that it had would be deleted: use --replace if that is right, or --keep-deleted`;
  return new CommandFailure(exitCodes.failed, sentence);
}

const notOnlyGone = new CommandFailure(
  exitCodes.failed,
  'records that are gone at the source cannot be told apart from others: use --keep-deleted or --replace',
);

/** Returns undefined if the service cannot replace the domain, for example because it has too many records. */
async function tryReplacement(
  target: CopyTarget,
  domain: string,
  write: ZoneWrite,
): Promise<ImportAnswer | undefined> {
  try {
    return await sendZone(target, domain, write, true);
  } catch (error) {
    if (error instanceof ApiError && [BAD_REQUEST, CONFLICT].includes(error.status)) return undefined;
    throw error;
  }
}

const BAD_REQUEST = 400;
const CONFLICT = 409;

async function planWrite(
  target: CopyTarget,
  domain: string,
  write: ZoneWrite,
  kept: KeptRecords = noneKept,
): Promise<ZonePlan> {
  try {
    return planned(target, write, await sendZone(target, domain, write, true), kept);
  } catch (error) {
    const problems = error instanceof ApiError ? readProblems(error, write) : [];
    if (problems.length === 0) throw error;
    return { write, difference: noDifference, kept, problems };
  }
}

function planned(target: CopyTarget, write: ZoneWrite, answer: ImportAnswer, kept: KeptRecords): ZonePlan {
  return { write, difference: readDifference(answer, target), kept, problems: [] };
}
