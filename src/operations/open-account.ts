import type { Account } from '../model/account.ts';
import { written, type WriteResult } from '../model/result.ts';
import { commitWrite } from './commit-write.ts';
import { checkAccount, newAccount, type NewAccount } from './create-account.ts';
import { newInvitationLink } from './create-link.ts';
import { showLink, type MadeLink } from './invite.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import { sealText } from './sealed-text.ts';
import { parseEmail } from './user-details.ts';

export interface OpenedAccount extends MadeLink {
  readonly account: Account;
}

/**
 * Creates an account without a key, and invites its first owner: nobody but the customer gets a key of it. A repeat with the same
 * idempotency key returns the first link again.
 *
 * @param owner an e-mail address
 * @param origin under which browsers reach the service
 */
export async function openAccount(
  context: OperationContext,
  caller: Requester,
  { owner, ...input }: NewAccount & { readonly owner: string },
  origin: string,
): Promise<WriteResult<OpenedAccount>> {
  const checked = checkAccount(input);
  if (!checked.ok) return checked;
  const email = parseEmail(owner, 'owner');
  if (!email.ok) return email;
  const account = newAccount(context, checked.value);
  const about = { accountId: account.id, email: email.value, isOperator: false, createdBy: caller.keyId };
  const made = newInvitationLink(context, { ...about, role: 'owner', grants: null });
  const request = caller.terms?.idempotency;
  const result = await commitWrite(context, {
    kind: 'openAccount',
    ...accountTermsOf(context, caller),
    account,
    invitation: made.invitation,
    sealed: request && sealText(made.token, request),
  });
  if (!result.ok) return result;
  return written({ account: result.value.account, ...showLink(result.value, made, caller, origin) });
}
