// Changes of passkeys, one-time codes and recovery codes. A user never loses its last way to sign in.
import { unreachable } from '../base/assert.ts';
import { refuseCode, refuseLogin } from '../model/refuse-login.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import type { TrailAction, TrailDetail } from '../model/trail-entry.ts';
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
import { countWrongCode, rememberChallenge } from './use-factor.ts';

export function decideChangeFactors(
  { userId, change }: CommandOf<'changeFactors'>,
  batch: PendingBatch,
): WriteResult<UserFactors> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refused('unknown_session', 'There is no such session');
  const factors = parseUserFactors(user.factors);
  const changed = changeFactors(factors, change);
  if (!changed.ok) return changed;
  const passwordHash = change.kind === 'removePassword' ? null : user.passwordHash;
  const takesAway = change.kind === 'removePassword' || change.kind === 'removePasskey';
  if (takesAway && passwordHash === null && !hasOtherWay(userId, changed.value, batch))
    return refused(
      'factor_conflict',
      'You could not sign in any more: set a password or add a passkey first',
    );
  batch.people.put('users', { ...user, passwordHash, factors: formatUserFactors(changed.value) });
  noteChange(userId, factors, change, batch);
  return written(changed.value);
}

/** Written before the client is told that the code was wrong. */
export function decideNoteWrongCode(
  { userId, atMs }: CommandOf<'noteWrongCode'>,
  batch: PendingBatch,
): WriteResult<null> {
  const user = batch.people.findOne('users', 'id', userId);
  if (user === undefined) return refuseLogin();
  const counted = countWrongCode(parseUserFactors(user.factors), atMs);
  if (!counted.ok) return counted;
  batch.people.put('users', { ...user, factors: formatUserFactors(counted.value) });
  return written(null);
}

/** Besides a password. */
function hasOtherWay(userId: string, { passkeys }: UserFactors, batch: PendingBatch): boolean {
  return passkeys.length > 0 || batch.people.findAll('identities', 'userId', userId).length > 0;
}

const trailActions: { readonly [Kind in FactorChange['kind']]: TrailAction | null } = {
  addPasskey: 'user.passkey_add',
  renamePasskey: 'user.passkey_rename',
  removePasskey: 'user.passkey_remove',
  // It counts for nothing yet.
  prepareOneTimeCode: null,
  confirmOneTimeCode: 'user.one_time_code_add',
  removeOneTimeCode: 'user.one_time_code_remove',
  replaceRecoveryCodes: 'user.recovery_codes_replace',
  removePassword: 'user.password_remove',
};

/** @param factors those before the change */
function noteChange(
  userId: string,
  { passkeys }: UserFactors,
  change: FactorChange,
  batch: PendingBatch,
): void {
  const action = trailActions[change.kind];
  if (action === null) return;
  noteOfUser(userId, { action, object: userId, detail: describeChange(change, passkeys) }, batch);
}

function describeChange(change: FactorChange, passkeys: readonly Passkey[]): TrailDetail {
  const nameOf = (id: string): string | undefined => passkeys.find((known) => known.id === id)?.name;
  switch (change.kind) {
    case 'addPasskey':
      return { passkey: change.passkey.name };
    case 'renamePasskey':
      return { passkey: nameOf(change.id), new_name: change.name };
    case 'removePasskey':
      return { passkey: nameOf(change.id) };
    default:
      return {};
  }
}

function changeFactors(factors: UserFactors, change: FactorChange): Result<UserFactors> {
  switch (change.kind) {
    case 'addPasskey':
      return addPasskey(factors, change);
    case 'renamePasskey':
      return renamePasskey(factors, change);
    case 'removePasskey':
      return removePasskey(factors, change.id);
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
      return success(factors);
    default:
      return unreachable(change);
  }
}

function addPasskey(
  factors: UserFactors,
  { passkey, challenge }: FactorChange & { readonly kind: 'addPasskey' },
): Result<UserFactors> {
  if (factors.passkeys.some(({ credentialId }) => credentialId === passkey.credentialId))
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

function removePasskey(factors: UserFactors, id: string): Result<UserFactors> {
  const passkey = findPasskey(factors, id);
  if (!passkey.ok) return passkey;
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
