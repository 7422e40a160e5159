import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';

/** Notes that an operator reads in the account of somebody else, which sees it in its trail. */
export function noteForeignRead(
  { trail }: Pick<OperationContext, 'trail'>,
  caller: Requester,
  accountId: string,
  operation: string,
): void {
  if (accountId === caller.accountId) return;
  trail.note(caller, {
    accountId,
    action: 'account.read',
    object: accountId,
    detail: { request: operation },
  });
}
