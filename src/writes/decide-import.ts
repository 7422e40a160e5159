import { visitInSteps, type Steps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { CommandOf } from './command.ts';
import { decideCreateDomain, getOwnDomain } from './decide-domain.ts';
import { createRecord } from './decide-record.ts';
import type { Domain } from '../model/domain.ts';
import { groupByOwner, OwnerRecords } from './owner-records.ts';
import { NO_PRIORITY } from '../model/priority.ts';
import { quoteText } from '../model/quote-text.ts';
import { isNoChange, type RecordsChanged, type SoaSettings } from '../model/record-changes.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord, OwnerKey, SentRecord } from '../model/record.ts';
import type { Refusal } from '../model/refusal.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import type { SoaFields } from '../model/soa.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/** Records decided in a step: some 5 ms. */
export const DECIDED_A_STEP = 1000;

/**
 * A domain made to hold what is sent. A record that is there already, told by owner, type and data, keeps its id and the
 * way it is spelled; another TTL or priority is a change of it.
 *
 *     sent ─▶ same as one that stands? ─▶ keep or change it │ none ─▶ create ;  what is left over ─▶ delete (`replace`)
 *
 * The service's own NS records stay in any case: without them nobody would find the domain.
 */
export function* decideImportZone(
  command: CommandOf<'importZone'>,
  batch: PendingBatch,
): Steps<WriteResult<RecordsChanged>> {
  const found = openDomain(command, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const isReplaced = command.mode === 'replace';
  if (isReplaced && domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
  const standing = isReplaced ? batch.recordsOf(domain) : null;
  const kept = new Set<string>();
  const plan = yield* planRecords(command.records, kept, standingByOwner(standing, kept, domain, batch));
  const problems = [...plan.problems];
  const deleted = (standing ?? []).filter((record) => !kept.has(record.id) && !isApexNs(record));
  yield* visitInSteps(deleted, (record) => batch.deleteRecord(domain, record), DECIDED_A_STEP);
  yield* visitInSteps(plan.updated, ({ after }) => batch.putRecord(domain, after), DECIDED_A_STEP);
  const created: DomainRecord[] = [];
  const create = ([index, record]: ImportPlan['creates'][number]): void => {
    const placed = createRecord(domain, record, batch);
    if (placed.ok) created.push(placed.value);
    else problems.push(...problemsOf(placed.refusal, { index }));
  };
  yield* visitInSteps(plan.creates, create, DECIDED_A_STEP);
  if (problems.length > 0) return refuseProblems(problems);
  const { updated, unchanged } = plan;
  const soa = takeSoa(domain, command.soa, batch);
  const changed = { created, updated, deleted, unchanged, ...(soa && { soa }) };
  return written(changed, found.changed || !isNoChange(changed));
}

/** What a domain is created with does not count among the changes: those are what was sent. */
function openDomain(command: CommandOf<'importZone'>, batch: PendingBatch): WriteResult<Domain> {
  const { domain: name, author, nameservers } = command;
  if (nameservers === undefined) {
    const found = getOwnDomain(name, author, batch);
    return found.ok ? written(found.value, false) : found;
  }
  return decideCreateDomain({ kind: 'createDomain', author, name, nameservers, address: null }, batch);
}

interface ImportPlan {
  readonly creates: (readonly [index: number, record: SentRecord])[];
  readonly updated: { before: DomainRecord; after: DomainRecord }[];
  unchanged: number;
  readonly problems: PartProblem[];
}

/** @param kept ids of records that are to be there afterwards; filled */
function* planRecords(
  sent: readonly SentRecord[],
  kept: Set<string>,
  standingAt: (owner: OwnerKey) => OwnerRecords,
): Steps<ImportPlan> {
  const plan: ImportPlan = { creates: [], updated: [], unchanged: 0, problems: [] };
  for (const [index, record] of sent.entries()) {
    if ((index + 1) % DECIDED_A_STEP === 0) yield;
    const standing = standingAt(record.owner);
    const same = standing.findSame(record);
    if (same === undefined) {
      standing.put(record);
      kept.add(record.id);
      plan.creates.push([index, record]);
      continue;
    }
    // A master file says no priority where the wire has none.
    const priority = record.priority === NO_PRIORITY ? same.priority : record.priority;
    const isEqual = same.ttl === record.ttl && same.priority === priority;
    const isRepeated = kept.has(same.id);
    kept.add(same.id);
    if (isEqual) plan.unchanged += isRepeated ? 0 : 1;
    else if (isRepeated) plan.problems.push(...problemsOf(doubleOf(same), { index }));
    else {
      const after = { ...same, ttl: record.ttl, priority };
      standing.put(after);
      plan.updated.push({ before: same, after });
    }
  }
  return plan;
}

/** What is at an owner, to be added to; read owner by owner where not all of the domain is wanted. */
function standingByOwner(
  all: readonly DomainRecord[] | null,
  kept: ReadonlySet<string>,
  domain: Domain,
  batch: PendingBatch,
): (owner: OwnerKey) => OwnerRecords {
  const found = groupByOwner(all ?? []);
  const owners = new Map<OwnerKey, OwnerRecords>();
  return (owner) => {
    let standing = owners.get(owner);
    if (standing === undefined) {
      const committed = all === null ? batch.recordsAt(domain, owner).all : (found.get(owner) ?? []);
      standing = new OwnerRecords([...committed], kept);
      owners.set(owner, standing);
    }
    return standing;
  };
}

function doubleOf({ ttl, priority }: DomainRecord): Refusal {
  const message = `The same record is sent twice, the first time with TTL ${ttl} and priority ${priority}`;
  return { code: 'record_exists', message };
}

function isApexNs({ owner, type }: DomainRecord): boolean {
  return owner === APEX && type === rrType.NS;
}

function takeSoa(domain: Domain, fields: SoaFields | null, batch: PendingBatch): RecordsChanged['soa'] {
  const { soaPrimary, soaEmail } = domain;
  return changeSoa(domain, { soaPrimary, soaEmail, ...fields }, batch);
}

/** Undefined where it is so already. */
export function changeSoa(domain: Domain, after: SoaSettings, batch: PendingBatch): RecordsChanged['soa'] {
  const before = { soaPrimary: domain.soaPrimary, soaEmail: domain.soaEmail };
  if (before.soaPrimary === after.soaPrimary && before.soaEmail === after.soaEmail) return undefined;
  batch.updateDomain(domain, after);
  return { before, after };
}

function refuseTooLarge({ name, recordCount }: Domain): Refused {
  return refused(
    'invalid_request',
    `Domain ${quoteText(name)} has ${recordCount} records, and no more than ${MAX_ZONE_RECORDS} can be replaced at once: merge, or delete in batches`,
  );
}
