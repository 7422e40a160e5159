import type { GetSignal } from '../base/fair-semaphore.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Requester } from '../operations/requester.ts';
import type { Answer } from './answer.ts';

/** What a route sees of a request. */
export interface ApiRequest {
  /** Percent-decoded; only those that the route's path names are there. */
  readonly params: { readonly domain: string; readonly id: string };
  readonly query: Readonly<Record<string, unknown>>;
  /** The body's bytes, if it has one. */
  readonly body: unknown;
}

/**
 * One route: reads the request, asks one operation, words its result. Decides nothing. `getSignal` is for operations
 * that wait.
 */
export type RouteHandler = (
  context: OperationContext,
  caller: Requester,
  request: ApiRequest,
  getSignal: GetSignal,
) => Promise<Answer>;
