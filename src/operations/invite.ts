// Links that are made over the interface: invitations, and recoveries of users who are locked out.
import { assert } from '../base/assert.ts';
import { hashToken } from '../credentials/one-time-token.ts';
import { parseMemberRole, type MemberRoleInput } from '../model/parse-member-role.ts';
import { success, written, type WriteResult } from '../model/result.ts';
import type { Invitation } from '../model/user.ts';
import type { SealedInvitation } from '../writes/people-command.ts';
import { commitWrite } from './commit-write.ts';
import { formatLink, newInvitationLink, newRecoveryLink, type NewLink } from './create-link.ts';
import { findMembersAccount } from './members-account.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import { openSealedText, sealText } from './sealed-text.ts';
import { parseEmail } from './user-details.ts';

export interface InvitationInput extends MemberRoleInput {
  /** Absent: the person who accepts chooses it. */
  readonly email?: string;
  readonly operator?: boolean;
  /** The caller's account if absent. */
  readonly account?: string;
}

export interface MadeLink {
  readonly invitation: Invitation;
  /** Shown to the client only. In a dry run, it leads nowhere. */
  readonly link: string;
}

/**
 * A repeat with the same idempotency key returns the first link again.
 *
 * @param origin under which browsers reach the service
 */
export async function createInvitation(
  context: OperationContext,
  caller: Requester,
  input: InvitationInput,
  origin: string,
): Promise<WriteResult<MadeLink>> {
  const account = await findMembersAccount(context, caller, input.account, 'write');
  if (!account.ok) return account;
  const role = parseMemberRole(input);
  if (!role.ok) return role;
  const email = input.email === undefined ? success(null) : parseEmail(input.email);
  if (!email.ok) return email;
  const made = newInvitationLink(context, {
    ...role.value,
    accountId: account.value,
    email: email.value,
    isOperator: input.operator ?? false,
    createdBy: caller.keyId,
  });
  return storeLink(context, caller, made, origin);
}

/** A link with which a user sets a new password. It is for operators: an owner could take over a user of several accounts. */
export function recoverUser(
  context: OperationContext,
  caller: Requester,
  userId: string,
  origin: string,
): Promise<WriteResult<MadeLink>> {
  return storeLink(context, caller, newRecoveryLink(context, userId, caller.keyId), origin);
}

export async function revokeInvitation(
  context: OperationContext,
  caller: Requester,
  id: string,
  named: string | undefined,
): Promise<WriteResult<Invitation>> {
  const account = await findMembersAccount(context, caller, named, 'write');
  if (!account.ok) return account;
  const terms = accountTermsOf(context, caller);
  return commitWrite(context, { kind: 'revokeInvitation', ...terms, accountId: account.value, id });
}

async function storeLink(
  context: OperationContext,
  caller: Requester,
  made: NewLink,
  origin: string,
): Promise<WriteResult<MadeLink>> {
  const request = caller.terms?.idempotency;
  const result = await commitWrite(context, {
    kind: 'createInvitation',
    ...accountTermsOf(context, caller),
    invitation: made.invitation,
    sealed: request && sealText(made.token, request),
    within: caller.rights,
  });
  if (!result.ok) return result;
  return written(showLink(result.value, made, caller, origin));
}

/** Returns the link to the store's result: the new one or, for a repeat, the first one. */
export function showLink(
  stored: SealedInvitation,
  made: NewLink,
  caller: Requester,
  origin: string,
): MadeLink {
  const { invitation } = stored;
  return { invitation, link: formatLink({ invitation, token: getToken(stored, made, caller) }, origin) };
}

/** Returns the token in the store's result: the new one or, for a repeat, the first one. */
function getToken({ invitation, sealed }: SealedInvitation, made: NewLink, { terms }: Requester): string {
  if (invitation.id === made.invitation.id) return made.token;
  const request = terms?.idempotency;
  const token = request && sealed && openSealedText(sealed, request);
  assert(
    token !== undefined && hashToken(token) === invitation.hash,
    `the sealed token of invitation ${invitation.id} can be opened`,
  );
  return token;
}
