import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Account, ApiKey } from '../model/account.ts';
import { hashApiKey, newApiKey } from '../operations/new-api-key.ts';
import { createRecoveredKey, findRecoveredAccount } from '../operations/recover-admin-key.ts';
import type { KeyStore } from '../store/key-store.ts';
import { openKeyStore } from './open-key-store.ts';
import { StoreOpenError } from '../store/store.ts';
import type { StorePlace } from '../migration/store-place.ts';
import { readAdminKeyFile, stageAdminKeyFile, type StagedKeyFile } from './admin-key-file.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';

/**
 * Creates an administrative key directly in the store, for operators who have lost the first one:
 *
 *   find the account ─▶ key on the disk, beside the key file ─▶ key in the store ─▶ into the key file's place
 *
 * In this order, a full disk never loses a key that the store knows, and a key file is replaced only by a working
 * key. Services may run on the store: they look up keys there and accept the new one immediately.
 */
export interface KeyRecovery {
  readonly place: StorePlace;
  /** Id or mail address; undefined: the first account. */
  readonly account: string | undefined;
  /** Undefined: the caller shows the key. */
  readonly keyFile: string | undefined;
  /** Replaces an existing key file. */
  readonly replace: boolean;
}

export interface RecoveredKey {
  readonly account: Account;
  readonly key: ApiKey;
  readonly keyText: string;
}

/** @throws CommandFailure with one sentence; no key was created unless the sentence says so */
export async function recoverKey(recovery: KeyRecovery): Promise<RecoveredKey> {
  const { place, keyFile, replace } = recovery;
  try {
    const store = await openKeyStore(place, systemClock, silentLog);
    try {
      const account = await findRecoveredAccount(store, recovery.account);
      if (!account.ok) throw new CommandFailure(exitCodes.failed, account.problem);
      if (keyFile !== undefined && !replace) await refuseToReplace(keyFile, store);
      return await makeKey(store, account.value, keyFile);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainStoreFailure(error, 'repeat the command, and revoke a key that nobody has');
  }
}

async function makeKey(
  store: KeyStore,
  account: Account,
  keyFile: string | undefined,
): Promise<RecoveredKey> {
  const keyText = newApiKey();
  const staged = keyFile === undefined ? undefined : stage(keyFile, keyText);
  const key = await storeKey(store, account, keyText).catch((error: unknown) => {
    staged?.discard();
    throw error;
  });
  if (staged !== undefined) publish(staged, key);
  return { account, key, keyText };
}

async function storeKey(store: KeyStore, account: Account, keyText: string): Promise<ApiKey> {
  const outcome = await createRecoveredKey(store, systemClock, account, keyText);
  if (!outcome.ok) throw new CommandFailure(exitCodes.failed, outcome.refusal.message);
  return outcome.value;
}

function stage(keyFile: string, keyText: string): StagedKeyFile {
  try {
    return stageAdminKeyFile(keyFile, keyText);
  } catch (error) {
    throw new CommandFailure(exitCodes.failed, cannotWrite(keyFile, error));
  }
}

/** The store has the key by now, so the file with its text is not removed. */
function publish(staged: StagedKeyFile, { id }: ApiKey): void {
  try {
    staged.publish();
  } catch (error) {
    const where = existsSync(staged.unfinished) ? staged.unfinished : staged.path;
    const advice = `the new administrative key ${id} works all the same, take it from ${where} or revoke it`;
    throw new CommandFailure(exitCodes.failed, `${cannotWrite(staged.path, error)}: ${advice}`);
  }
}

function cannotWrite(keyFile: string, error: unknown): string {
  return `the admin key file ${keyFile} cannot be written (${String((error as NodeJS.ErrnoException).code)})`;
}

async function refuseToReplace(keyFile: string, store: KeyStore): Promise<void> {
  const file = readAdminKeyFile(keyFile);
  if (file.kind === 'absent') return;
  if (file.kind === 'unusable')
    throw new CommandFailure(exitCodes.failed, `${file.problem}, or give --replace`);
  const known = await store.findKeyByHash(hashApiKey(file.key));
  const state =
    known?.scope === 'admin'
      ? 'holds an administrative key that works: use it, or give --replace'
      : 'holds a key that is no administrative key of this store: give --replace to put a new one there';
  throw new CommandFailure(exitCodes.failed, `the admin key file ${keyFile} ${state}`);
}

/** @param advice what to do if it cannot be known whether the write was committed */
export function explainStoreFailure(error: unknown, advice: string): unknown {
  if (error instanceof StoreOpenError) {
    return new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    return new CommandFailure(exitCodes.unreachable, error.message, { cause: error });
  }
  if (error instanceof CommitInDoubt) {
    return new CommandFailure(exitCodes.failed, `${error.message}: ${advice}`, { cause: error });
  }
  return error;
}
