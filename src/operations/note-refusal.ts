import type { Caller } from '../model/account.ts';
import type { OperationContext } from './operation-context.ts';
import type { TrailSender } from './trail-buffer.ts';

/** A request that was refused because its caller lacks the right. */
export interface RefusedRequest {
  /** The name of the operation in the interface. */
  readonly operation: string;
  /** The domain or the id in the path, as sent; undefined if there is none. */
  readonly object: string | undefined;
  /** The sentence of the refusal. */
  readonly reason: string | undefined;
}

/** Notes a refused request in the trail of its caller. */
export function noteRefusal(
  { trail }: Pick<OperationContext, 'trail'>,
  caller: Pick<Caller, 'accountId'> & TrailSender,
  { operation, object = '', reason }: RefusedRequest,
): void {
  const detail = { request: operation, reason };
  trail.note(caller, {
    accountId: caller.accountId,
    action: 'request.refuse',
    object: object.toLowerCase(),
    detail,
  });
}
