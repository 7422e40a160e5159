// Changes of passkeys, one-time codes and recovery codes. A user never loses its last way to sign in.
import { unreachable } from '../base/assert.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import type { User } from '../model/user.ts';
import {
  formatUserFactors,
  MAX_PASSKEYS,
  parseUserFactors,
  type Passkey,
  type UserFactors,
} from '../model/user-factors.ts';
import type { CommandOf } from './command.ts';
import type { FactorChange } from './factor-command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { noteOfUser } from './people-notes.ts';
import { refuseCode, rememberChallenge } from './use-factor.ts';

export function decideChangeFactors(
  { userId, change }: CommandOf<'changeFactors'>,
  batch: PendingBatch,
): WriteResult<UserFactors> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refused('unknown_session', 'There is no such session');
  const factors = parseUserFactors(user.factors);
  const changed = changeFactors(user, factors, change);
  if (!changed.ok) return changed;
  const passwordHash = change.kind === 'removePassword' ? null : user.passwordHash;
  batch.people.put('users', { ...user, passwordHash, factors: formatUserFactors(changed.value) });
  if (change.kind !== 'prepareOneTimeCode')
    noteOfUser(userId, { action: 'user.factors', object: userId, detail: { change: change.kind } }, batch);
  return written(changed.value);
}

function changeFactors(user: User, factors: UserFactors, change: FactorChange): Result<UserFactors> {
  switch (change.kind) {
    case 'addPasskey':
      return addPasskey(factors, change);
    case 'renamePasskey':
      return renamePasskey(factors, change);
    case 'removePasskey':
      return removePasskey(user, factors, change.id);
    case 'prepareOneTimeCode':
      return success({ ...factors, pendingCode: change.code });
    case 'confirmOneTimeCode':
      return confirmOneTimeCode(factors, change);
    case 'removeOneTimeCode':
      if (factors.oneTimeCode === null) return refuseWithoutCode('unknown_factor');
      return success({ ...factors, oneTimeCode: null, pendingCode: null, recoveryCodes: [] });
    case 'replaceRecoveryCodes':
      if (factors.oneTimeCode === null) return refuseWithoutCode('factor_conflict');
      return success({ ...factors, recoveryCodes: change.recoveryCodes });
    case 'removePassword':
      return factors.passkeys.length === 0 ? refuseLastWay('add a passkey first') : success(factors);
    default:
      return unreachable(change);
  }
}

function addPasskey(
  factors: UserFactors,
  { passkey, challenge }: FactorChange & { readonly kind: 'addPasskey' },
): Result<UserFactors> {
  if (factors.passkeys.some(({ id }) => id === passkey.id))
    return refused('factor_conflict', 'This passkey is registered already');
  if (factors.passkeys.length >= MAX_PASSKEYS)
    return refused('quota_exceeded', `A user has at most ${MAX_PASSKEYS} passkeys`);
  const used = rememberChallenge(factors, challenge, passkey.createdAtSeconds);
  return used.ok ? success({ ...used.value, passkeys: [...factors.passkeys, passkey] }) : used;
}

function renamePasskey(
  factors: UserFactors,
  { id, name }: FactorChange & { readonly kind: 'renamePasskey' },
): Result<UserFactors> {
  const passkey = findPasskey(factors, id);
  if (!passkey.ok) return passkey;
  const passkeys = factors.passkeys.map((known) => (known.id === id ? { ...known, name } : known));
  return success({ ...factors, passkeys });
}

function removePasskey(user: User, factors: UserFactors, id: string): Result<UserFactors> {
  const passkey = findPasskey(factors, id);
  if (!passkey.ok) return passkey;
  if (user.passwordHash === null && factors.passkeys.length === 1)
    return refuseLastWay('add another passkey or set a password first');
  return success({ ...factors, passkeys: factors.passkeys.filter((known) => known.id !== id) });
}

/** The former secret goes, so that a lost device shows no codes any more. */
function confirmOneTimeCode(
  factors: UserFactors,
  { id, step, recoveryCodes }: FactorChange & { readonly kind: 'confirmOneTimeCode' },
): Result<UserFactors> {
  const { pendingCode } = factors;
  if (pendingCode?.id !== id) return refuseCode();
  const oneTimeCode = { ...pendingCode, lastStep: step };
  return success({ ...factors, oneTimeCode, pendingCode: null, recoveryCodes });
}

function findPasskey({ passkeys }: UserFactors, id: string): Result<Passkey> {
  const passkey = passkeys.find((known) => known.id === id);
  return passkey === undefined
    ? refused('unknown_factor', 'Invalid passkey: you have no passkey with this id')
    : success(passkey);
}

function refuseWithoutCode(code: 'unknown_factor' | 'factor_conflict'): Refused {
  return refused(code, 'You have not set up one-time codes');
}

function refuseLastWay(remedy: string): Refused {
  return refused('factor_conflict', `You could not sign in any more: ${remedy}`);
}
