import { rrType } from '../dns/codes.ts';
import type { Steps } from '../base/steps.ts';
import { describeTerms } from '../model/describe-terms.ts';
import { NO_PRIORITY } from '../model/priority.ts';
import type { StoredOtherwise } from '../model/record-changes.ts';
import type { DomainRecord, OwnerKey, SentRecord } from '../model/record.ts';
import type { Refusal } from '../model/refusal.ts';
import { problemsOf, type PartProblem } from '../model/refuse-problems.ts';
import { showRecordData } from '../model/show-record-data.ts';
import type { OwnerRecords } from './owner-records.ts';
import { StoredOtherwiseCount } from './stored-otherwise.ts';
import { withoutAsShown } from './without-as-shown.ts';

/** About 5 ms. */
export const DECIDED_PER_STEP = 1000;

/** Outcomes for the sent records, in their order, each with its index among them. */
export interface ImportPlan {
  readonly creates: readonly (readonly [index: number, record: SentRecord])[];
  readonly updated: readonly (readonly [index: number, change: RecordUpdate])[];
  readonly unchanged: number;
  readonly problems: readonly PartProblem[];
  readonly otherwise: StoredOtherwise;
}

interface RecordUpdate {
  readonly before: DomainRecord;
  readonly after: DomainRecord;
}

/**
 * Matches the sent records with the existing ones. A TXT record of a zone file that does not exist with just its
 * character-strings takes the place of a record with the same text that no other record of the file means: one text in two
 * divisions would be two records for DNS, and break SPF and DKIM. So it is matched last.
 *
 * @param kept receives the ids of records that exist afterwards
 * @param isDamaged whether existing records may hold anything, so that nothing of them is kept but the id
 */
export function* planRecords(
  sent: readonly SentRecord[],
  kept: Set<string>,
  existingAt: (owner: OwnerKey) => OwnerRecords,
  isDamaged: boolean,
): Steps<ImportPlan> {
  const planning = new ImportPlanning(kept, isDamaged);
  const otherTexts: number[] = [];
  for (const [index, record] of sent.entries()) {
    if ((index + 1) % DECIDED_PER_STEP === 0) yield;
    const existing = existingAt(record.owner);
    const same = existing.findSame(record);
    if (same === undefined && isExactText(record)) otherTexts.push(index);
    else planning.take(index, record, existing, same);
  }
  for (const [at, index] of otherTexts.entries()) {
    if ((at + 1) % DECIDED_PER_STEP === 0) yield;
    const record = sent[index];
    const existing = existingAt(record.owner);
    const repeated = existing.findSame(record);
    if (repeated !== undefined) planning.take(index, record, existing, repeated);
    else planning.takeText(index, record, existing, existing.findFreeText(record));
  }
  if (otherTexts.length > 0) planning.sort();
  return planning;
}

/** True for TXT records of zone files, in which the character-strings count. */
function isExactText({ type, asShown }: SentRecord): boolean {
  return type === rrType.TXT && asShown === undefined;
}

class ImportPlanning implements ImportPlan {
  readonly creates: [index: number, record: SentRecord][] = [];
  readonly updated: [index: number, change: RecordUpdate][] = [];
  unchanged = 0;
  readonly problems: PartProblem[] = [];
  readonly otherwise = new StoredOtherwiseCount();
  private readonly kept: Set<string>;
  private readonly isDamaged: boolean;

  constructor(kept: Set<string>, isDamaged: boolean) {
    this.kept = kept;
    this.isDamaged = isDamaged;
  }

  /** @param same the existing record with that content */
  take(index: number, record: SentRecord, existing: OwnerRecords, same: DomainRecord | undefined): void {
    if (same === undefined) this.create(index, record, existing);
    else if (this.kept.has(same.id)) this.repeat(index, record, same);
    else {
      if (!this.isDamaged) this.otherwise.compare(index, record, same);
      const after = withTerms(this.isDamaged ? repaired(same, record) : same, record, same);
      const isEqual = after.ttl === same.ttl && after.priority === same.priority;
      if (isEqual && !this.isDamaged) this.keep(same);
      else this.update(index, { before: same, after }, existing);
    }
  }

  /** @param alike a record with the same text in other character-strings, which nothing else keeps */
  takeText(index: number, record: SentRecord, existing: OwnerRecords, alike: DomainRecord | undefined): void {
    if (alike === undefined) this.create(index, record, existing);
    else {
      const content = this.isDamaged ? record : { ...alike, rdata: record.rdata };
      const after = withTerms(content, record, alike);
      this.otherwise.compare(index, record, after);
      this.update(index, { before: alike, after }, existing);
    }
  }

  sort(): void {
    this.creates.sort(byIndex);
    this.updated.sort(byIndex);
  }

  private create(index: number, record: SentRecord, existing: OwnerRecords): void {
    existing.put(record);
    this.kept.add(record.id);
    this.creates.push([index, record]);
  }

  private repeat(index: number, record: SentRecord, same: DomainRecord): void {
    const { ttl, priority } = withTerms(same, record, same);
    if (ttl === same.ttl && priority === same.priority) this.otherwise.repeated.add(index);
    else this.problems.push(...problemsOf(duplicateOf(same), { index }));
  }

  private keep({ id }: DomainRecord): void {
    this.kept.add(id);
    this.unchanged++;
  }

  private update(index: number, change: RecordUpdate, existing: OwnerRecords): void {
    this.kept.add(change.after.id);
    existing.put(change.after);
    this.updated.push([index, change]);
  }
}

/** The content of an existing record with the TTL and priority that were sent. */
function withTerms(content: DomainRecord, sent: SentRecord, { id, priority }: DomainRecord): DomainRecord {
  // A zone file has no priority for types that have none on the wire.
  const isGiven = sent.priority !== NO_PRIORITY;
  return { ...content, id, ttl: sent.ttl, priority: isGiven ? sent.priority : priority };
}

/** Damaged data does not show as the text beside it. */
function repaired(damaged: DomainRecord, sent: SentRecord): DomainRecord {
  if (sent.asShown === undefined) return sent;
  const isIntact = showRecordData(damaged.type, damaged.rdata).data === sent.data;
  return isIntact || sent.asShown.problem !== undefined ? damaged : withoutAsShown(sent);
}

function duplicateOf(first: DomainRecord): Refusal {
  const message = `The same record is sent twice, first with ${describeTerms(first)}`;
  return { code: 'record_exists', message };
}

function byIndex([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number {
  return a - b;
}
