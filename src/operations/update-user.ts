import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import type { User } from '../model/user.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { getSignedIn } from './own-sessions.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import { hashNewPassword, parseUserName } from './user-details.ts';

export interface UserChange {
  readonly name?: string;
  readonly password?: string;
}

/** With a new password, all other sessions of the user end. */
export async function updateUser(
  context: OperationContext,
  requester: Requester,
  { name, password }: UserChange,
): Promise<WriteResult<User>> {
  const { user, session } = getSignedIn(requester);
  if (name === undefined && password === undefined)
    return refused('invalid_request', 'Send name, password or both');
  const newName = name === undefined ? success(undefined) : parseUserName(name);
  if (!newName.ok) return newName;
  const passwordHash: Result<string | undefined> =
    password === undefined
      ? success(undefined)
      : await hashNewPassword(context, password, user.email, user.id);
  if (!passwordHash.ok) return passwordHash;
  const result = await commitWrite(context, {
    kind: 'updateUser',
    ...accountTermsOf(context, requester),
    userId: user.id,
    newName: newName.value,
    passwordHash: passwordHash.value,
    sessionId: session.id,
  });
  if (result.ok) forgetUser(context, user.id);
  return result;
}
