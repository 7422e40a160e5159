import { hashToken, isWellFormedToken } from '../credentials/one-time-token.ts';
import type { Account } from '../model/account.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { Invitation, User } from '../model/user.ts';
import type { OperationContext } from './operation-context.ts';

/** The holder of a link may know all of it. */
export interface FoundInvitation {
  readonly invitation: Invitation;
  /** Undefined for a recovery. */
  readonly account: Account | undefined;
  /** The user whose access is recovered. */
  readonly recovered: User | undefined;
}

/** @param token the text of the link after `#` */
export async function findInvitation(
  { store, clock }: Pick<OperationContext, 'store' | 'clock'>,
  token: string,
): Promise<Result<FoundInvitation>> {
  if (!isWellFormedToken(token, 'invitation')) return refuseUnknownLink();
  const invitation = (await store.people.find('invitations', 'hash', [hashToken(token)])).at(0);
  if (invitation === undefined || invitation.expiresAtSeconds * 1000 <= clock.nowMs())
    return refuseUnknownLink();
  if (invitation.recovers === null) {
    const account = await store.findAccount(invitation.accountId);
    return account === undefined
      ? refuseUnknownLink()
      : success({ invitation, account, recovered: undefined });
  }
  const recovered = (await store.people.find('users', 'id', [invitation.recovers])).at(0);
  return recovered === undefined
    ? refuseUnknownLink()
    : success({ invitation, account: undefined, recovered });
}

/** The same sentence for a link that never existed. */
function refuseUnknownLink(): Refused {
  return refused('unknown_invitation', 'There is no such invitation, or it has been used or has expired');
}
