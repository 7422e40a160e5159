// Operators look into accounts of others, after saying why.
import type { Caller } from '../model/account.ts';
import { refused, success, type ReadResult, type WriteResult } from '../model/result.ts';
import { ACCESS_SECONDS, MAX_REASON_CHARACTERS, type Access, type User } from '../model/user.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import { findMembersAccount } from './members-account.ts';
import type { OperationContext } from './operation-context.ts';
import { getSignedIn } from './own-sessions.ts';
import { accountTermsOf, type Requester } from './requester.ts';

/** An access with the operator who has it. */
export interface ShownAccess {
  readonly access: Access;
  readonly user: User;
}

/** For an hour, requests of the session that name the account have the rights of a viewer there. */
export async function createAccess(
  context: OperationContext,
  caller: Requester,
  accountId: string,
  reason: string,
): Promise<WriteResult<ShownAccess>> {
  const { user, session } = getSignedIn(caller);
  const said = reason.trim();
  if (said === '' || said.length > MAX_REASON_CHARACTERS || /\p{Cc}/u.test(said)) {
    const rule = `reason must be 1 to ${MAX_REASON_CHARACTERS} printable characters`;
    return refused('invalid_request', rule, 'reason');
  }
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  const expiresAtSeconds = createdAtSeconds + ACCESS_SECONDS;
  const times = { createdAtSeconds, expiresAtSeconds };
  const about = { sessionId: session.id, userId: user.id, accountId, reason: said };
  const access = { id: context.newId(), ...about, ...times };
  const result = await commitWrite(context, {
    kind: 'createAccess',
    ...accountTermsOf(context, caller),
    access,
  });
  if (!result.ok) return result;
  forgetUser(context, user.id);
  return { ...result, value: { access, user } };
}

export async function endAccess(
  context: OperationContext,
  caller: Requester,
  accountId: string,
): Promise<WriteResult<null>> {
  const { user } = getSignedIn(caller);
  const terms = accountTermsOf(context, caller);
  const result = await commitWrite(context, { kind: 'endAccess', ...terms, accountId, userId: user.id });
  if (result.ok) forgetUser(context, user.id);
  return result;
}

/** Those of the operator itself, in all its sessions. */
export async function listOwnAccesses(
  context: OperationContext,
  caller: Requester,
): Promise<ReadResult<readonly ShownAccess[]>> {
  const { user } = getSignedIn(caller);
  const accesses = await context.store.people.find('accesses', 'userId', [user.id]);
  return success(accesses.filter(isOpen(context)).map((access) => ({ access, user })));
}

/** The operators who look into an account now. */
export async function listAccesses(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<ReadResult<readonly ShownAccess[]>> {
  const account = await findMembersAccount(context, caller, named, 'read');
  if (!account.ok) return account;
  const { people } = context.store;
  const accesses = (await people.find('accesses', 'accountId', [account.value])).filter(isOpen(context));
  const userIds = accesses.map(({ userId }) => userId);
  const users = new Map((await people.find('users', 'id', userIds)).map((user) => [user.id, user]));
  return success(
    accesses.flatMap((access) => {
      const user = users.get(access.userId);
      return user === undefined ? [] : [{ access, user }];
    }),
  );
}

function isOpen({ clock }: Pick<OperationContext, 'clock'>): (access: Access) => boolean {
  const nowMs = clock.nowMs();
  return ({ expiresAtSeconds }) => nowMs < expiresAtSeconds * 1000;
}
