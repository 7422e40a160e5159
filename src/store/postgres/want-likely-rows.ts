import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import { APEX, parseRecordName } from '../../model/record-name.ts';
import type { Command, CommandOf } from '../../writes/command.ts';
import { joinPlace, type BatchRows } from './batch-rows.ts';

/** Requests the rows that a command is likely to need, so that most batches are fetched in one round. */
export function wantLikelyRows(rows: BatchRows, command: Command): void {
  const { author } = command;
  if (author?.idempotency !== undefined) {
    rows.outcomes.want(joinPlace(author.keyId, author.idempotency.key));
  }
  switch (command.kind) {
    case 'createAccount':
      rows.accounts.want(command.account.id);
      rows.keys.want(command.key.id);
      return;
    case 'createKey':
      rows.accounts.want(command.key.accountId);
      rows.keys.want(command.key.id);
      return;
    case 'revokeKey':
      rows.keys.want(command.keyId);
      return;
    case 'createDomain':
      wantDomain(rows, command.name);
      rows.serials.want(command.name);
      if (command.address !== null) rows.owners.want(joinPlace(command.name, APEX));
      return;
    case 'updateDomain':
    case 'deleteDomain':
      rows.domains.want(command.name);
      return;
    case 'createRecord':
      rows.domains.want(command.domain);
      rows.owners.want(joinPlace(command.domain, command.record.owner));
      return;
    case 'updateRecord':
    case 'deleteRecord':
      rows.domains.want(command.domain);
      rows.records.want(joinPlace(command.domain, command.recordId));
      return;
    case 'changeRecords':
      rows.domains.want(command.domain);
      wantChangedRows(rows, command);
      return;
    case 'importZone':
      if (command.nameservers === undefined) rows.domains.want(command.domain);
      else {
        wantDomain(rows, command.domain);
        rows.serials.want(command.domain);
      }
      // Replacing a domain needs all its records, but its id is not known yet.
      if (command.mode === 'merge') wantOwners(rows, command.domain, command.records);
      return;
    case 'restoreDomain':
      wantDomain(rows, command.name);
      rows.serials.want(command.name);
      if (command.id === undefined) rows.lastDeleted.want(joinPlace(command.author.accountId, command.name));
      else rows.deletedDomains.want(String(command.id));
      return;
    default:
      // Other rows are fetched when they are requested, which costs another round.
      return;
  }
}

function wantChangedRows(rows: BatchRows, { domain, changes }: CommandOf<'changeRecords'>): void {
  for (const id of changes.deletes) rows.records.want(joinPlace(domain, id));
  for (const { id, patch } of changes.updates) {
    rows.records.want(joinPlace(domain, id));
    const name = patch.name === undefined ? undefined : parseRecordName(patch.name, domain);
    if (name?.ok === true) rows.owners.want(joinPlace(domain, name.value.owner));
  }
  wantOwners(rows, domain, changes.creates);
}

function wantOwners(rows: BatchRows, domain: ZoneName, records: readonly DomainRecord[]): void {
  for (const { owner } of records) rows.owners.want(joinPlace(domain, owner));
}

/** Also requests the enclosing domains, because the next question is whether one belongs to another account. */
export function wantDomain(rows: BatchRows, name: ZoneName): void {
  rows.domains.want(name);
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    rows.domains.want(name.slice(dot + 1));
  }
}
