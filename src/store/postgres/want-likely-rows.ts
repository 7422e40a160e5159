import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import { APEX, parseRecordName } from '../../model/record-name.ts';
import { parseSignalName } from '../../model/signal-name.ts';
import { userOfActor } from '../../model/trail-entry.ts';
import type { AccountLifeCommand } from '../../writes/account-command.ts';
import { isAboutLife } from '../../writes/decide-account-life.ts';
import type { Author, Command, CommandOf, NameTerms } from '../../writes/command.ts';
import { formatNameserverSet } from '../claim-reads.ts';
import { joinPlace, joinRange, type BatchRows } from './batch-rows.ts';
import type { WantedRows } from './wanted-rows.ts';

/** Requests the rows that a command is likely to need, so that most batches are fetched in one round. */
export function wantLikelyRows(rows: BatchRows, command: Command): void {
  if (command.author !== undefined) wantRowsOfAuthor(rows, command.author);
  switch (command.kind) {
    case 'createDomain':
      wantNewDomain(rows, command, command.name);
      if (command.address !== null) rows.owners.want(joinPlace(command.name, APEX));
      return;
    case 'updateDomain':
    case 'deleteDomain':
      rows.domains.want(command.name);
      return;
    case 'withholdDomains':
    case 'releaseDomains':
      for (const { name } of command.domains) rows.domains.want(name);
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
    case 'updateSignals':
      wantSignalRows(rows, command);
      return;
    case 'importZone':
      wantImportedRows(rows, command);
      return;
    case 'restoreDomain':
      wantNewDomain(rows, command, command.name);
      if (command.id === undefined) rows.lastDeleted.want(joinPlace(command.author.accountId, command.name));
      else rows.deletedDomains.want(String(command.id));
      return;
    default:
      if (isAboutLife(command)) wantLifeRows(rows, command);
      else wantAccountRows(rows, command);
  }
}

function wantLifeRows(rows: BatchRows, { kind, accountId }: AccountLifeCommand): void {
  rows.accounts.want(accountId);
  if (kind === 'removeAccount') rows.keysOfAccount.want(joinRange(accountId, 'false'));
  if (kind === 'suspendAccount' || kind === 'deleteAccount') {
    rows.keysOfAccount.want(joinRange(accountId, 'true'));
    rows.operators.want(accountId);
  }
}

/** Other rows are fetched when they are requested, which costs another round. */
function wantAccountRows(rows: BatchRows, command: Command): void {
  switch (command.kind) {
    case 'createAccount':
      rows.accounts.want(command.account.id);
      rows.quotas.want(command.account.id);
      rows.keys.want(command.key.id);
      if (command.author !== undefined) rows.keys.want(command.author.keyId);
      return;
    case 'openAccount':
      rows.accounts.want(command.account.id);
      rows.quotas.want(command.account.id);
      if (command.author !== undefined) rows.keys.want(command.author.keyId);
      return;
    case 'updateLimits':
      rows.accounts.want(command.accountId);
      return;
    case 'assignNameservers':
      rows.accounts.want(command.accountId);
      rows.nameservers.want(command.accountId);
      rows.takenSets.want(joinRange(formatNameserverSet(command.names), command.accountId));
      return;
    case 'settleClaim':
    case 'openClaim':
    case 'expireClaim':
      rows.domains.want(command.domain);
      return;
    case 'createKey':
      rows.quotas.want(command.key.accountId);
      rows.accounts.want(command.key.accountId);
      rows.keys.want(command.key.id);
      if (command.author !== undefined) rows.keys.want(command.author.keyId);
      return;
    case 'rotateKey':
      rows.keys.want(command.key.id);
      rows.keys.want(command.keyId);
      return;
    case 'revokeKey':
      rows.keys.want(command.keyId);
      if (command.author !== undefined) rows.keys.want(command.author.keyId);
      return;
    case 'noteTrail':
      for (const { accountId, actor, object } of command.entries) {
        wantActor(rows, actor);
        if (accountId === null) rows.people.want('memberships', 'userId', object);
      }
      return;
    case 'noteKeyUses':
      for (const { keyId } of command.uses) rows.keys.want(keyId);
      return;
    default:
      return;
  }
}

function wantActor(rows: BatchRows, actor: string): void {
  const userId = userOfActor(actor);
  if (userId !== undefined) rows.people.want('users', 'id', userId);
  else if (actor !== '') rows.keys.want(actor);
}

function wantRowsOfAuthor(rows: BatchRows, { accountId, keyId, idempotency }: Author): void {
  if (idempotency !== undefined) rows.outcomes.want(joinPlace(keyId, idempotency.key));
  rows.quotas.want(accountId);
}

function wantImportedRows(rows: BatchRows, command: CommandOf<'importZone'>): void {
  if (command.nameservers === undefined) rows.domains.want(command.domain);
  else wantNewDomain(rows, command, command.domain);
  // Replacing a domain needs all its records, but its id is not known yet.
  if (command.mode === 'merge') wantOwners(rows, command.domain, command.records);
}

function wantSignalRows(rows: BatchRows, { domain, about }: CommandOf<'updateSignals'>): void {
  rows.domains.want(domain);
  for (const name of about) {
    rows.domains.want(name);
    rows.owners.want(joinPlace(name, APEX));
    const signal = parseSignalName(name, domain);
    if (signal !== undefined) rows.owners.want(joinPlace(domain, signal.owner));
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

/** Requests what tells whether the name may be taken, and the serial to continue. */
function wantNewDomain(
  rows: BatchRows,
  { author, takesHeldNames }: { readonly author: Author } & NameTerms,
  name: ZoneName,
): void {
  wantDomain(rows, name);
  rows.serials.want(name);
  belowOf(rows, takesHeldNames !== true).want(joinPlace(author.accountId, name));
  for (let from = 0; from !== -1; from = nextLabel(name, from)) rows.holders.want(name.slice(from));
}

function nextLabel(name: string, from: number): number {
  const dot = name.indexOf('.', from);
  return dot === -1 ? -1 : dot + 1;
}

/** @param alsoHeld as for `RowReader.hasForeignBelow` */
export function belowOf(rows: BatchRows, alsoHeld: boolean): WantedRows<true> {
  return alsoHeld ? rows.foreignOrHeldBelow : rows.foreignBelow;
}

/** Also requests the enclosing domains, because the next question is whether one belongs to another account. */
export function wantDomain(rows: BatchRows, name: ZoneName): void {
  rows.domains.want(name);
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    rows.domains.want(name.slice(dot + 1));
  }
}
