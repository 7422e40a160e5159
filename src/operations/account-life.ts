// Suspends, resumes, deletes and restores accounts (contract rule 83).
import type { Account } from '../model/account.ts';
import { MAX_REASON_CHARACTERS, type SuspendedAnswers } from '../model/account-standing.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { refused, success, written, type ReadResult, type WriteResult } from '../model/result.ts';
import type { CommandOf } from '../writes/command.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

const DAY_MS = 86_400_000;

/** Finds any account, for an administrator. */
export async function findAnyAccount(
  context: OperationContext,
  accountId: string,
): Promise<ReadResult<Account>> {
  const account = await context.store.findAccount(accountId);
  return account === undefined ? refuseUnknownAccount(accountId) : success(account);
}

export async function suspendAccount(
  context: OperationContext,
  caller: Requester,
  accountId: string,
  sent: { readonly reason: string; readonly answers: SuspendedAnswers },
): Promise<WriteResult<Account>> {
  const reason = sent.reason.trim();
  if (reason === '' || reason.length > MAX_REASON_CHARACTERS || /\p{Cc}/u.test(reason)) {
    const rule = `reason must be 1 to ${MAX_REASON_CHARACTERS} printable characters`;
    return refused('invalid_request', rule, 'reason');
  }
  const suspension = { reason, answers: sent.answers, atMs: context.clock.nowMs() };
  const terms = accountTermsOf(context, caller);
  return commitWrite(context, { kind: 'suspendAccount', ...terms, accountId, suspension });
}

export function resumeAccount(
  context: OperationContext,
  caller: Requester,
  accountId: string,
): Promise<WriteResult<Account>> {
  const terms = accountTermsOf(context, caller);
  return commitWrite(context, { kind: 'resumeAccount', ...terms, accountId });
}

export async function restoreAccount(
  context: OperationContext,
  caller: Requester,
  accountId: string,
): Promise<WriteResult<Account>> {
  const terms = accountTermsOf(context, caller);
  const result = await commitWrite(context, { kind: 'restoreAccount', ...terms, accountId });
  if (result.ok && terms.dryRun !== true) forgetAccount(context, accountId);
  return result;
}

/** Whether its keys and sessions can be used is looked up again with the next request. */
function forgetAccount({ callers, sessions }: OperationContext, accountId: string): void {
  callers.forget((caller) => caller.accountId === accountId);
  sessions.forget(
    ({ memberships, deletedAccountIds }) =>
      deletedAccountIds.includes(accountId) || memberships.some((member) => member.accountId === accountId),
  );
}

/** The things that go with an account. */
export interface AccountHoldings {
  readonly domains: number;
  readonly records: number;
  readonly keys: number;
  readonly users: number;
  readonly invitations: number;
}

export interface DeletedAccount {
  readonly account: Account;
  readonly holdings: AccountHoldings;
}

/**
 * Deletes an account: nothing of it is answered, and it can be restored as long as its deleted domains could be.
 *
 * @param typedName the name of the account, as its owner has typed it; null for an operator
 */
export async function deleteAccount(
  context: OperationContext,
  caller: Requester,
  accountId: string,
  typedName: string | null,
): Promise<WriteResult<DeletedAccount>> {
  const atMs = context.clock.nowMs();
  const command: CommandOf<'deleteAccount'> = {
    kind: 'deleteAccount',
    ...accountTermsOf(context, caller),
    accountId,
    typedName,
    atMs,
    heldUntilMs: atMs + context.settings.historyDays * DAY_MS,
  };
  const result = await commitWrite(context, command);
  if (!result.ok) return result;
  if (command.dryRun !== true) forgetAccount(context, accountId);
  const holdings = await readHoldings(context, accountId);
  return written({ account: result.value, holdings }, result.changed);
}

async function readHoldings({ store }: OperationContext, accountId: string): Promise<AccountHoldings> {
  const [quota, members, invitations] = await Promise.all([
    store.findQuota(accountId),
    store.people.find('memberships', 'accountId', [accountId]),
    store.people.find('invitations', 'accountId', [accountId]),
  ]);
  const { domains = 0, records = 0, keys = 0 } = quota?.usage ?? {};
  return { domains, records, keys, users: members.length, invitations: invitations.length };
}
