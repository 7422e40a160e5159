// State that we add to fastify's requests.
import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../model/account.ts';
import type { WorkShare } from '../operations/work-memory.ts';
import type { Quota } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no key and no session. */
    isOpen?: boolean;
  }
  interface FastifyRequest {
    /** Null until the request is admitted. */
    caller: Caller | null;
    /** The client's address, behind the proxies; undefined if it is unknown. */
    clientAddress: string | undefined;
    /** The client's rate limit; null if there is none. */
    quota: Quota | null;
    /** The code of the error that is answered; null if there is none. */
    errorCode: ErrorCode | null;
    /** The memory of its body and of the work with it; null until it is reserved. */
    share: WorkShare | null;
    /** The CORS headers of the answer: name, value, name, value …; null for none. */
    crossOrigin: readonly string[] | null;
  }
}
