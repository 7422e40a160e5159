import { rmSync } from 'node:fs';
import type { Log } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Account } from '../model/account.ts';
import { scopeRights } from '../model/scope-rights.ts';
import { commitWrite } from '../operations/commit-write.ts';
import { createFirstAccount } from '../operations/create-account.ts';
import { newInvitationLink } from '../operations/create-link.ts';
import { hashApiKey } from '../operations/new-api-key.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { serviceAuthor } from '../writes/author.ts';
import { readAdminKeyFile, writeAdminKeyFile } from './admin-key-file.ts';

/**
 * Gives an empty store its administrative account and key. This is what each crash leaves and what the next start does:
 *
 *   store      file          meaning                                     next start
 *   empty      absent        nothing happened, or a crash while writing  draws a key
 *   empty      key           a crash before the account, or the          takes the key
 *                            operator brought one
 *   empty      unusable      the operator's mistake                      refuses, changes nothing
 *   not empty  any           done before; a lost or foreign file is      leaves both alone, warns when
 *                            the operator's business                     the file's key is unknown
 *
 * If several processes start on one empty store, the store lets one of them create the account; the others remove the
 * file that they have just written.
 *
 * The file is durable before the account is created, so that no account is left without its key. A file with a revoked
 * key does not restore that key, because a store with an account is never written here.
 */
export interface AdminBootstrap {
  readonly context: OperationContext;
  readonly keyFile: string;
  /** The account's mail address. */
  readonly email: string;
  /** A random key for the account if nobody brought one; the same for all attempts of one start. */
  readonly newKey: string;
  readonly log: Log;
}

/**
 * A key that was created now is shown once to the operator; a key that the operator supplied is never shown. With either comes
 * the token of a link for the first user; a crash before it is made leaves it to `zonewright recover-user`.
 */
export type AdminKey =
  | { readonly kind: 'drawn'; readonly key: string; readonly token?: string }
  | { readonly kind: 'taken'; readonly token?: string }
  | { readonly kind: 'kept' };

/** @throws CommandFailure with one sentence when the file is unusable or cannot be written. */
export async function bootstrapAdmin(bootstrap: AdminBootstrap): Promise<AdminKey> {
  const { keyFile, newKey } = bootstrap;
  const { store } = bootstrap.context;
  const file = readAdminKeyFile(keyFile);
  const accounts = await store.listAccounts({ direction: 'after', key: null, limit: 1 });
  if (accounts.total > 0) return file.kind === 'key' ? checkKept(bootstrap, file.key) : { kind: 'kept' };
  switch (file.kind) {
    case 'unusable':
      throw new CommandFailure(exitCodes.failed, file.problem);
    case 'key': {
      const account = await createAdmin(bootstrap, file.key);
      if (account === undefined) return { kind: 'kept' };
      return { ...createdWith(bootstrap, file.key), ...(await inviteOwner(bootstrap, account)) };
    }
    case 'absent': {
      writeKey(keyFile, newKey);
      const account = await createAdmin(bootstrap, newKey);
      if (account !== undefined)
        return { kind: 'drawn', key: newKey, ...(await inviteOwner(bootstrap, account)) };
      removeKey(keyFile, newKey);
      return { kind: 'kept' };
    }
  }
}

/** The store has an account: normally an old one, but an earlier attempt of this start may have created it. */
async function checkKept(bootstrap: AdminBootstrap, key: string): Promise<AdminKey> {
  const { context, keyFile, log, newKey } = bootstrap;
  const isKnown = (await context.store.findKeyByHash(hashApiKey(key))) !== undefined;
  if (!isKnown) log.warn({ file: keyFile }, 'the admin key file holds a key that this store does not know');
  return isKnown && key === newKey ? { kind: 'drawn', key } : { kind: 'kept' };
}

/** An earlier attempt of this start may have written the file. */
function createdWith({ newKey }: AdminBootstrap, key: string): Exclude<AdminKey, { kind: 'kept' }> {
  return key === newKey ? { kind: 'drawn', key } : { kind: 'taken' };
}

function writeKey(keyFile: string, key: string): void {
  try {
    writeAdminKeyFile(keyFile, key);
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new CommandFailure(exitCodes.failed, `the admin key file ${keyFile} cannot be written (${reason})`);
  }
}

/** Keeps the file if another process has replaced it in the meantime. */
function removeKey(keyFile: string, key: string): void {
  const file = readAdminKeyFile(keyFile);
  if (file.kind === 'key' && file.key === key) rmSync(keyFile);
}

/** Makes the link for the first user, an owner of the account and operator. */
async function inviteOwner(
  { context }: AdminBootstrap,
  { id: accountId }: Account,
): Promise<{ readonly token: string }> {
  const terms = { role: 'owner', grants: null, email: null, isOperator: true, createdBy: '' } as const;
  const { invitation, token } = newInvitationLink(context, { ...terms, accountId });
  const within = scopeRights.admin;
  const author = serviceAuthor(context.clock.nowMs());
  const made = await commitWrite(context, { kind: 'createInvitation', author, invitation, within });
  if (!made.ok) throw new CommandFailure(exitCodes.failed, made.refusal.message);
  return { token };
}

/** Returns undefined if another process was first. */
async function createAdmin({ context, email }: AdminBootstrap, key: string): Promise<Account | undefined> {
  const outcome = await createFirstAccount(context, { name: 'Administrator', email }, key);
  if (outcome.ok) return outcome.value.account;
  if (outcome.refusal.code === 'not_first') return undefined;
  throw new CommandFailure(exitCodes.failed, outcome.refusal.message);
}
