// Users see and change what they prove with who they are.
import { assert } from '../base/assert.ts';
import { success, type ReadResult, type Result, type WriteResult } from '../model/result.ts';
import { parseUserFactors, type Passkey, type UserFactors } from '../model/user-factors.ts';
import type { User } from '../model/user.ts';
import type { FactorChange } from '../writes/factor-command.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { getSignedIn } from './own-sessions.ts';
import { parsePasskeyName } from './passkey-name.ts';
import { accountTermsOf, type Requester } from './requester.ts';

export interface OwnFactors {
  readonly hasPassword: boolean;
  readonly factors: UserFactors;
}

export async function getFactors(
  context: OperationContext,
  requester: Requester,
): Promise<ReadResult<OwnFactors>> {
  const { passwordHash, factors } = await readUser(context, requester);
  return success({ hasPassword: passwordHash !== null, factors: parseUserFactors(factors) });
}

/** The row of the caller as it is now: what is remembered with its session may be some seconds old. */
export async function readUser(context: OperationContext, requester: Requester): Promise<User> {
  const { user } = getSignedIn(requester);
  const [row = user] = await context.store.people.find('users', 'id', [user.id]);
  return row;
}

export async function changeFactors(
  context: OperationContext,
  requester: Requester,
  change: FactorChange,
): Promise<WriteResult<UserFactors>> {
  const { user } = getSignedIn(requester);
  const terms = accountTermsOf(context, requester);
  const result = await commitWrite(context, { kind: 'changeFactors', ...terms, userId: user.id, change });
  if (result.ok) forgetUser(context, user.id);
  return result;
}

export async function renamePasskey(
  context: OperationContext,
  requester: Requester,
  id: string,
  text: string,
): Promise<Result<Passkey>> {
  const name = parsePasskeyName(text);
  if (!name.ok) return name;
  const changed = await changeFactors(context, requester, { kind: 'renamePasskey', id, name: name.value });
  return changed.ok ? success(getPasskey(changed.value, id)) : changed;
}

/** @param factors those after a change of the passkey */
export function getPasskey({ passkeys }: UserFactors, id: string): Passkey {
  const passkey = passkeys.find((known) => known.id === id);
  assert(passkey !== undefined, 'the passkey was just changed');
  return passkey;
}
