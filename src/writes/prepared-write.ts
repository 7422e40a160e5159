// A write that was decided outside the writer, and how the writer takes it over:
//
//   snapshot ─▶ decide, note what is read ─▶ PreparedWrite ─▶ rebaseWrites(counters, rows now) ─▶ rows to write
//                                                                 │ the basis has moved: decide again
//                                                                 └ a limit was used up meanwhile: refused
//
// Pure, like all of this folder.
import { assert } from '../base/assert.ts';
import { countedNames } from '../model/account-limits.ts';
import type { Refused } from '../model/result.ts';
import type { BatchWrites, Counters } from './batch-writes.ts';
import {
  defaultQuotas,
  findAccountRefusal,
  findDomainRefusal,
  findServiceRefusal,
  type Quotas,
} from './check-quotas.ts';
import { isUnmoved, type DecisionBasis } from './decision-basis.ts';
import { MAX_CHAINED_NAMES } from './signing/find-signing-refusal.ts';
import { PendingUsage } from './pending-usage.ts';
import type { RowReader } from './row-reader.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/**
 * How often a write is prepared before the writer decides it itself. Commands of the same account to the same domain wait
 * for it, so that hardly anything else moves its basis.
 */
export const MAX_PREPARATIONS = 3;

/** The rows of a domain that is created, its nameservers and its SOA fields, and their changes. */
const DOMAIN_ROWS = 100;

/**
 * Each name of a signed domain that a write changes has a row of signatures and one of its hash, and the name before it in
 * the chain likewise. An entry removes a row, and another one puts it again.
 */
const MAX_SIGNATURE_ROWS = 2 * 2 * 3 * MAX_CHAINED_NAMES;

/**
 * The most rows that a prepared write can have, which is the longest that it holds the writer: one zone of the largest size
 * replaced by another, each record with its change. They are copied by the database itself, some 3 µs a row.
 */
const MAX_PREPARED_ROWS = 4 * MAX_ZONE_RECORDS + DOMAIN_ROWS + MAX_SIGNATURE_ROWS;

/** The rules of each command keep it below the limit. */
export function assertPreparable({
  deletedRecords,
  changedRecords,
  createdRecords,
  changes,
}: ManyRows): void {
  const rows = deletedRecords.length + changedRecords.length + createdRecords.length + changes.length;
  assert(rows <= MAX_PREPARED_ROWS, `a prepared write has at most ${MAX_PREPARED_ROWS} rows, not ${rows}`);
}

/** The lists of `BatchWrites` that may be long; an engine passes them on in a way of its own. */
export type ManyRows = Pick<
  BatchWrites,
  'deletedRecords' | 'changedRecords' | 'createdRecords' | 'changes' | 'keptOutcomes'
>;

export const noManyRows: ManyRows = {
  deletedRecords: [],
  changedRecords: [],
  createdRecords: [],
  changes: [],
  keptOutcomes: [],
};

/** The writes of one command without the long lists, as plain data, and what they rest on. */
export interface PreparedWrite {
  readonly basis: DecisionBasis;
  /** As the decision read them, with the id that was reserved for a domain. */
  readonly counters: Counters;
  /** The id of a domain that the command creates was reserved for it. */
  readonly hasReservedId: boolean;
  readonly writes: BatchWrites;
}

export type Rebased =
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly result: Refused }
  | {
      readonly kind: 'ready';
      readonly writes: BatchWrites;
      /** To be added to the numbers of the changes that were passed on separately. */
      readonly seqStep: number;
    };

/**
 * Moves a prepared write to the end of the feed as it is now, if what it rests on has not changed.
 *
 * @param counters as they are now, locked
 * @param rows the rows as they are now
 */
export function rebaseWrites(
  { basis, counters: before, hasReservedId, writes }: PreparedWrite,
  counters: Counters,
  rows: RowReader,
  quotas: Quotas = defaultQuotas,
): Rebased {
  const isIdFree = hasReservedId || counters.lastDomainId === before.lastDomainId;
  if (writes.createdDomains.length > 0 && !isIdFree) return { kind: 'moved' };
  if (!isUnmoved(basis, rows)) return { kind: 'moved' };
  const refusal = findQuotaRefusal(writes, counters, rows, quotas);
  if (refusal !== undefined) return { kind: 'refused', result: refusal };
  const seqStep = counters.lastSeq - before.lastSeq;
  const changeAuthors = writes.changeAuthors.map((author) => ({
    ...author,
    firstSeq: author.firstSeq + seqStep,
    lastSeq: author.lastSeq + seqStep,
  }));
  const after = writes.counters && addSteps(counters, before, writes.counters);
  return { kind: 'ready', writes: { ...writes, changeAuthors, counters: after }, seqStep };
}

/** The limits as they are now, and what other writes have used of them. */
function findQuotaRefusal(
  { usageSteps, createdDomains, changedDomains }: BatchWrites,
  { domainCount }: Counters,
  rows: RowReader,
  quotas: Quotas,
): Refused | undefined {
  const usage = new PendingUsage();
  for (const { accountId, step } of usageSteps) {
    for (const name of countedNames) usage.add(accountId, name, step[name]);
  }
  const quotaOf = (accountId: string) => rows.findQuota(accountId);
  const domain = [...createdDomains, ...changedDomains].at(0);
  return (
    findServiceRefusal(domainCount, usage, quotas) ??
    findAccountRefusal(usage, quotas, quotaOf) ??
    (domain && findDomainRefusal(domain.accountId, domain.recordCount, usage, quotas, quotaOf))
  );
}

function addSteps(now: Counters, before: Counters, after: Counters): Counters {
  return {
    lastSeq: now.lastSeq + after.lastSeq - before.lastSeq,
    lastDomainId: Math.max(now.lastDomainId, after.lastDomainId),
    accountCount: now.accountCount + after.accountCount - before.accountCount,
    keyCount: now.keyCount + after.keyCount - before.keyCount,
    domainCount: now.domainCount + after.domainCount - before.domainCount,
  };
}
