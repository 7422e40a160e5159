import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { AccountWrite, DomainWrite, IdempotencyKey } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';
import type { WorkShare } from './work-memory.ts';

/** A request with an idempotency key, which the client may repeat. */
export interface RepeatableRequest extends IdempotencyKey {
  /** Returns the text of the caller's API key or session. A function, so that logging or copying a request does not expose the key. */
  readonly bearerText: () => string;
}

/** The terms of a write: its author, preconditions and mode. */
export interface RequestTerms {
  /** The client's network address. */
  readonly address?: string | undefined;
  /** The client's note for the history. */
  readonly note?: string | undefined;
  readonly idempotency?: RepeatableRequest | undefined;
  /** The domain must have one of these revisions. */
  readonly ifMatch?: readonly string[] | undefined;
  /** The domain must not have any of these revisions. */
  readonly ifNoneMatch?: readonly string[] | undefined;
  /** Changes nothing; the result says what would change. */
  readonly dryRun?: true | undefined;
  /** The result has the warnings about the change. */
  readonly wantsWarnings?: true | undefined;
}

/** The caller with the terms of its request. */
export interface Requester extends Caller {
  readonly terms?: RequestTerms;
  /** For work that stops when the client has gone. */
  readonly getSignal?: GetSignal;
  /** The memory of the request, which its transport releases when the answer has been sent. */
  readonly share?: WorkShare;
  /** Makes an empty one for a request that has none; released like it. */
  readonly openShare?: () => WorkShare;
}

/** Returns the common members of writes to domains. Dry runs have no idempotency key, because their results are not stored. */
export function termsOf(context: OperationContext, requester: Requester): DomainWrite {
  const { accountId, keyId, limits, signedIn, terms = {} } = requester;
  const { address, note, ifMatch, ifNoneMatch, dryRun } = terms;
  const rights = limits?.rights ?? undefined;
  const repeatable = dryRun ? undefined : terms.idempotency;
  const idempotency = repeatable && { key: repeatable.key, hash: repeatable.hash };
  return {
    author: {
      accountId,
      keyId,
      userId: signedIn?.user.id,
      atMs: context.clock.nowMs(),
      address,
      note,
      rights,
      idempotency,
    },
    ifMatch,
    ifNoneMatch,
    dryRun,
  };
}

/** Returns the common members of writes to accounts and keys. */
export function accountTermsOf(context: OperationContext, requester: Requester): AccountWrite {
  const { author, dryRun } = termsOf(context, requester);
  return { author, dryRun };
}
