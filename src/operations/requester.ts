import type { Caller } from '../model/account.ts';
import type { AccountWrite, DomainWrite, IdempotencyKey } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';

/** A request that may come again, and is to be known then. */
export interface RepeatableRequest extends IdempotencyKey {
  /** The text of the caller's API key. A function: nothing that shows or copies a request shows or copies it. */
  readonly bearerText: () => string;
}

/** What a write is asked for with, besides what is to be written. */
export interface RequestTerms {
  /** The client's network address. */
  readonly address?: string | undefined;
  /** The client's words for the history. */
  readonly note?: string | undefined;
  readonly idempotency?: RepeatableRequest | undefined;
  /** Revisions, one of which the domain must have. */
  readonly ifMatch?: readonly string[] | undefined;
  /** Revisions that the domain must not have. */
  readonly ifNoneMatch?: readonly string[] | undefined;
  /** Only says what would be changed. */
  readonly dryRun?: true | undefined;
}

/** Who asks, and on what terms. */
export interface Requester extends Caller {
  readonly terms?: RequestTerms;
}

/** What every write to a domain carries. A dry run leaves no trace, and is repeated as often as one likes. */
export function termsOf(context: OperationContext, requester: Requester): DomainWrite {
  const { accountId, keyId, terms = {} } = requester;
  const { address, note, ifMatch, ifNoneMatch, dryRun } = terms;
  const repeatable = dryRun ? undefined : terms.idempotency;
  const idempotency = repeatable && { key: repeatable.key, hash: repeatable.hash };
  return {
    author: { accountId, keyId, atMs: context.clock.nowMs(), address, note, idempotency },
    ifMatch,
    ifNoneMatch,
    dryRun,
  };
}

/** What every write to accounts and keys carries. */
export function accountTermsOf(context: OperationContext, requester: Requester): AccountWrite {
  const { author, dryRun } = termsOf(context, requester);
  return { author, dryRun };
}
