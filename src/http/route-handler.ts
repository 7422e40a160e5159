import type { IncomingHttpHeaders } from 'node:http';
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Requester } from '../operations/requester.ts';
import type { Sender } from '../operations/sender.ts';
import type { Answer } from './answer.ts';

/** The parts of a request that handlers read. */
export interface ApiRequest {
  /** Percent-decoded. Only the parameters in the route's path are present. */
  readonly params: { readonly domain: string; readonly id: string };
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>;
  /** The scheme of the connection to the service itself; a proxy may have been reached by another one. */
  readonly protocol: 'http' | 'https';
  /** The body's bytes, if the request has a body. */
  readonly body: unknown;
}

/**
 * Handles one route: reads the request, calls one operation and formats its result. Decides nothing. `getSignal` is for
 * operations that wait.
 */
export type RouteHandler = (
  context: OperationContext,
  caller: Requester,
  request: ApiRequest,
  getSignal: GetSignal,
) => Promise<Answer>;

/** The client of a route that needs no key and no session. */
export interface OpenSender extends Sender {
  /** The session is to be in a secure cookie. */
  readonly isSecure: boolean;
}

/** As `RouteHandler`, for routes that need no key and no session. */
export type OpenRouteHandler = (
  context: OperationContext,
  sender: OpenSender,
  request: ApiRequest,
) => Promise<Answer>;
