import type { ChangesJson, ImportJson } from '../../contract/response-shapes.ts';
import type { ApiError } from '../../client/api-error.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { describeProblem } from '../failures/describe-problem.ts';
import { describeAdjusted, describeWarning } from '../plan/print-changes.ts';
import type { AskParent } from '../signing/parent-ds.ts';
import { formatRecord } from '../terminal/record-columns.ts';
import { locate } from '../zone-text/prepare-zone-text.ts';
import type { LoadedZone, SkippedRecord } from './copy-source.ts';

/**
 * The service that receives the zones: applies a zone file to a domain, or says what that would change. The service
 * decides which records of the file it accepts.
 */
export interface CopyTarget {
  readonly client: ZonewrightClient;
  /** True if records that the source does not have are deleted, whatever their origin. */
  readonly isReplacing: boolean;
  /** True if records stay that an earlier copy brought and the source does not have any more. */
  readonly keepsDeleted: boolean;
  /** Kept in the history. */
  readonly note: string;
  /** The names of this source in the notes of earlier copies. */
  readonly sources: ReadonlySet<string>;
  /** True if all changed records are listed. */
  readonly isListing: boolean;
  /** Asks for the DS records at the parent zone. */
  readonly askParent: AskParent;
}

/** Changes that a zone file makes, or would make. */
export interface ZoneDifference {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly changesSoa: boolean;
  /** In the format of a zone file. */
  readonly deletedRecords: readonly string[];
  /** All changed records, if they are listed. */
  readonly changes: ChangesJson | undefined;
  /** Nothing is lost: the old provider's SOA, NS and DNSSEC records, and records that nameservers ignore. */
  readonly skipped: readonly SkippedRecord[];
  /** Sentences about likely mistakes. */
  readonly warnings: readonly string[];
  /** Sentences about records that are imported otherwise than the source has them. */
  readonly adjusted: readonly string[];
}

export const noDifference: ZoneDifference = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  changesSoa: false,
  deletedRecords: [],
  changes: undefined,
  skipped: [],
  warnings: [],
  adjusted: [],
};

/** One write of a whole zone. */
export interface ZoneWrite {
  readonly text: string;
  readonly places: LoadedZone['places'];
  /** True if records that the text does not have are deleted. */
  readonly isReplacing: boolean;
  /** The service does not have the domain yet; it is created together with its records. */
  readonly isNew: boolean;
  /** The revision that was planned for, so that only the records that were shown are deleted. */
  readonly revision: string | undefined;
}

/** @throws ApiError or UnreachableError if nothing was changed, as far as is known */
export function sendZone(
  { client, note }: CopyTarget,
  domain: string,
  { text, isReplacing, isNew, revision }: ZoneWrite,
  dryRun?: true,
): Promise<ImportAnswer> {
  const options = { dryRun, ifMatch: revision, create: isNew, note };
  return isReplacing
    ? client.zoneFiles.replace(domain, text, options)
    : client.zoneFiles.merge(domain, text, options);
}

/** The answer to an import or its dry run. */
export type ImportAnswer = Pick<ImportJson, 'changes'> &
  Partial<Pick<ImportJson, 'set_aside' | 'adjusted' | 'warnings'>>;

export function readDifference(
  { changes, set_aside: skipped = [], adjusted = [], warnings = [] }: ImportAnswer,
  { isListing }: Pick<CopyTarget, 'isListing'>,
): ZoneDifference {
  return {
    created: changes.created.length,
    updated: changes.updated.length,
    deleted: changes.deleted.length,
    unchanged: changes.unchanged,
    changesSoa: changes.soa !== undefined,
    deletedRecords: changes.deleted.map(formatRecord),
    changes: isListing ? changes : undefined,
    skipped: skipped.map(({ record, reason }) => ({ record, reason })),
    warnings: warnings.map(describeWarning),
    adjusted: adjusted.map(describeAdjusted),
  };
}

/** The individual problems; empty if the error concerns the whole request. */
export function readProblems({ problems, more }: ApiError, { places }: ZoneWrite): readonly string[] {
  const sentences = problems.map((problem) => describeProblem(locate(problem as object, places)));
  return more > 0 ? [...sentences, `and ${more} more`] : sentences;
}
