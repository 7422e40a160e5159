// Whether the account of a command may write at all. Decided with the write: no cache of callers, and no write that was
// prepared before, gets past it.
import { refused, type Refused } from '../model/result.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import type { Author, Command, CommandKind } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

/**
 * - `refused`: it changes what the account has, or gives somebody access to it.
 * - `open`: it takes access away, or concerns the author alone, who may have other accounts.
 * - `managing`: operators decide about other accounts, whatever becomes of the one in which they act.
 * - `own`: the service itself asks for it.
 */
type Rule = 'refused' | 'open' | 'managing' | 'own';

const rules: { readonly [Kind in CommandKind]: Rule } = {
  createAccount: 'managing',
  openAccount: 'managing',
  updateLimits: 'managing',
  suspendAccount: 'managing',
  resumeAccount: 'managing',
  deleteAccount: 'managing',
  restoreAccount: 'managing',
  sweepDomains: 'own',
  removeAccount: 'own',
  createKey: 'refused',
  rotateKey: 'refused',
  revokeKey: 'open',
  noteKeyUses: 'own',
  createInvitation: 'refused',
  revokeInvitation: 'open',
  acceptInvitation: 'refused',
  updateMember: 'refused',
  removeMember: 'open',
  updateUser: 'open',
  changeFactors: 'open',
  linkIdentity: 'open',
  unlinkIdentity: 'open',
  createAccess: 'managing',
  endAccess: 'open',
  createSession: 'open',
  confirmSession: 'open',
  endSessions: 'open',
  noteSessionUses: 'own',
  noteWrongCode: 'own',
  noteTrail: 'own',
  createDomain: 'refused',
  updateDomain: 'refused',
  deleteDomain: 'refused',
  restoreDomain: 'refused',
  createRecord: 'refused',
  updateRecord: 'refused',
  deleteRecord: 'refused',
  changeRecords: 'refused',
  importZone: 'refused',
  revertRecords: 'refused',
  renewSignatures: 'own',
  signSlice: 'own',
  startRollover: 'refused',
  moveRollover: 'own',
  endDsWait: 'own',
  updateSignals: 'own',
  withholdDomains: 'own',
  releaseDomains: 'own',
  settleClaim: 'refused',
  openClaim: 'refused',
  expireClaim: 'own',
  assignNameservers: 'own',
  changeDenial: 'refused',
  holdRollover: 'refused',
  noteDsSeen: 'refused',
  cancelRollover: 'refused',
  addZoneKey: 'refused',
  removeZoneKey: 'refused',
  announceZoneKey: 'refused',
};

/** Refuses a command of an account that is suspended or deleted, or one that gives access to such an account. */
export function findSuspensionRefusal(command: Command, batch: PendingBatch): Refused | undefined {
  const rule = rules[command.kind];
  if (rule === 'open' || rule === 'own') return undefined;
  const { author } = command;
  const standing =
    author === undefined || (rule === 'managing' && isOperators(command, author))
      ? undefined
      : batch.accounts.standingOf(author.accountId);
  return refuseStanding(standing) ?? refuseEntrance(command, batch);
}

/** Whether a user manages another account than the one in which it acts: only operators do. */
function isOperators(command: Command, { userId, accountId }: Author): boolean {
  return userId !== undefined && !('accountId' in command && command.accountId === accountId);
}

/** Refuses to give access to an account that is suspended or deleted, also by operators if it is deleted. */
function refuseEntrance(command: Command, batch: PendingBatch): Refused | undefined {
  switch (command.kind) {
    case 'createKey':
      return refuseDeleted(batch.accounts.standingOf(command.key.accountId));
    case 'createInvitation':
      return refuseDeleted(batch.accounts.standingOf(command.invitation.accountId));
    case 'acceptInvitation': {
      const invitation = batch.people.findOne('invitations', 'hash', command.hash);
      // A recovery concerns the user alone.
      if (invitation === undefined || invitation.recovers !== null) return undefined;
      return refuseStanding(batch.accounts.standingOf(invitation.accountId));
    }
    default:
      return undefined;
  }
}

export function refuseStanding(standing: AccountStanding | undefined): Refused | undefined {
  if (standing === undefined || standing.suspension === null) return refuseDeleted(standing);
  const { reason } = standing.suspension;
  return (
    refuseDeleted(standing) ??
    refused('account_suspended', `This account is suspended, so that nothing in it can be changed: ${reason}`)
  );
}

function refuseDeleted(standing: AccountStanding | undefined): Refused | undefined {
  if (standing === undefined || standing.deletion === null) return undefined;
  return refused('account_suspended', 'This account was deleted, so that nothing in it can be changed');
}
