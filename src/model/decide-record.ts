import { formatRecordType } from '../dns/record-type-registry.ts';
import { applyPatch } from './apply-patch.ts';
import type { BatchView } from './batch-view.ts';
import { checkPlacement } from './check-placement.ts';
import type { CommandOf } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import type { Domain } from './domain.ts';
import { quoteText } from './quote-text.ts';
import type { DomainRecord } from './record.ts';
import { accepted, done, refused, type Accepted, type Outcome } from './refusal.ts';
import { refuseUnknownRecord } from './refuse-unknown.ts';
import { isSameContent } from './same-content.ts';

/** Ten million: ten times the largest zones that are edited by hand or tool; a zone must still fit into memory. */
export const MAX_RECORDS_PER_DOMAIN = 10_000_000;

/** Records: creation that is safe to repeat (contract rule 26), change (28), removal; conflicts (27). */
export function decideCreateRecord(
  command: CommandOf<'createRecord'>,
  view: BatchView,
): Outcome<DomainRecord> {
  const found = getOwnDomain(command.domain, command.author, view);
  if (!found.ok) return found;
  const domain = found.value;
  const { record } = command;
  const standing = view.recordsAt(domain, record.owner);
  const double = standing.find((other) => isSameContent(other, record));
  if (double !== undefined) {
    const isRepeat = double.ttl === record.ttl && double.priority === record.priority;
    return isRepeat ? done(double, false) : refuseDouble(double);
  }
  const refusal = checkPlacement(record, standing, domain.name);
  if (refusal !== undefined) return { ok: false, refusal };
  if (domain.recordCount >= MAX_RECORDS_PER_DOMAIN) return refuseOneMore(domain);
  view.putRecord(domain, record);
  return done(record);
}

export function decideUpdateRecord(
  command: CommandOf<'updateRecord'>,
  view: BatchView,
): Outcome<DomainRecord> {
  const found = getOwnDomain(command.domain, command.author, view);
  if (!found.ok) return found;
  const domain = found.value;
  const before = getRecord(domain, command.recordId, view);
  if (!before.ok) return before;
  const after = applyPatch(before.value, command.patch, domain.name, command.rules);
  if (!after.ok) return after;
  const record = after.value;
  if (isUnchanged(before.value, record)) return done(before.value, false);
  const others = view.recordsAt(domain, record.owner).filter((other) => other.id !== record.id);
  const double = others.find((other) => isSameContent(other, record));
  if (double !== undefined) return refuseDouble(double);
  const refusal = checkPlacement(record, others, domain.name);
  if (refusal !== undefined) return { ok: false, refusal };
  view.putRecord(domain, record);
  return done(record);
}

export function decideDeleteRecord(command: CommandOf<'deleteRecord'>, view: BatchView): Outcome<null> {
  const found = getOwnDomain(command.domain, command.author, view);
  if (!found.ok) return found;
  const record = getRecord(found.value, command.recordId, view);
  if (!record.ok) return record;
  view.deleteRecord(found.value, record.value);
  return done(null);
}

function getRecord(domain: Domain, id: string, view: BatchView): Accepted<DomainRecord> {
  const record = view.findRecord(domain, id);
  return record === undefined ? refuseUnknownRecord(id, domain.name) : accepted(record);
}

/** Wire form and owner follow from these. */
function isUnchanged(before: DomainRecord, after: DomainRecord): boolean {
  return (
    before.name === after.name &&
    before.data === after.data &&
    before.ttl === after.ttl &&
    before.priority === after.priority
  );
}

function refuseDouble(double: DomainRecord): Outcome<never> {
  const { id, ttl, priority } = double;
  const type = formatRecordType(double.type);
  return refused(
    'record_exists',
    `The same ${type} record exists with TTL ${ttl} and priority ${priority}: it is record ${id}`,
  );
}

function refuseOneMore(domain: Domain): Outcome<never> {
  return refused(
    'invalid_request',
    `Domain ${quoteText(domain.name)} has ${domain.recordCount} records, and can have no more than ${MAX_RECORDS_PER_DOMAIN}`,
  );
}
