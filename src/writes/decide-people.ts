import { unreachable } from '../base/assert.ts';
import type { WriteResult } from '../model/result.ts';
import type { Command } from './command.ts';
import { decideAcceptInvitation } from './decide-acceptance.ts';
import { decideCreateAccess, decideEndAccess } from './decide-access.ts';
import { decideChangeFactors, decideNoteWrongCode } from './decide-factors.ts';
import { decideLinkIdentity, decideUnlinkIdentity } from './decide-identity.ts';
import {
  decideCreateInvitation,
  decideRemoveMember,
  decideRevokeInvitation,
  decideUpdateMember,
} from './decide-member.ts';
import {
  decideConfirmSession,
  decideCreateSession,
  decideEndSessions,
  decideNoteSessionUses,
  decideUpdateUser,
} from './decide-session.ts';
import type { PeopleCommand, PeopleCommandValues } from './people-command.ts';
import type { PendingBatch } from './pending-batch.ts';

const kinds: { readonly [Kind in PeopleCommand['kind']]: true } = {
  createInvitation: true,
  revokeInvitation: true,
  acceptInvitation: true,
  updateMember: true,
  removeMember: true,
  updateUser: true,
  createSession: true,
  confirmSession: true,
  changeFactors: true,
  noteWrongCode: true,
  linkIdentity: true,
  unlinkIdentity: true,
  createAccess: true,
  endAccess: true,
  endSessions: true,
  noteSessionUses: true,
};

export function isAboutPeople(command: Command): command is PeopleCommand {
  return command.kind in kinds;
}

export function decidePeople(
  command: PeopleCommand,
  batch: PendingBatch,
): WriteResult<PeopleCommandValues[PeopleCommand['kind']]> {
  switch (command.kind) {
    case 'createInvitation':
      return decideCreateInvitation(command, batch);
    case 'revokeInvitation':
      return decideRevokeInvitation(command, batch);
    case 'acceptInvitation':
      return decideAcceptInvitation(command, batch);
    case 'updateMember':
      return decideUpdateMember(command, batch);
    case 'removeMember':
      return decideRemoveMember(command, batch);
    case 'updateUser':
      return decideUpdateUser(command, batch);
    case 'createSession':
      return decideCreateSession(command, batch);
    case 'confirmSession':
      return decideConfirmSession(command, batch);
    case 'changeFactors':
      return decideChangeFactors(command, batch);
    case 'noteWrongCode':
      return decideNoteWrongCode(command, batch);
    case 'linkIdentity':
      return decideLinkIdentity(command, batch);
    case 'unlinkIdentity':
      return decideUnlinkIdentity(command, batch);
    case 'createAccess':
      return decideCreateAccess(command, batch);
    case 'endAccess':
      return decideEndAccess(command, batch);
    case 'endSessions':
      return decideEndSessions(command, batch);
    case 'noteSessionUses':
      return decideNoteSessionUses(command, batch);
    default:
      return unreachable(command);
  }
}
