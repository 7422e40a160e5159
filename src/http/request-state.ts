// What a request carries with it besides fastify's own.
import type { Caller } from '../model/account.ts';
import type { Quota } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is; null until admitted. */
    caller: Caller | null;
    /** Where the client stands with its rate limit; null where none applies. */
    quota: Quota | null;
    /** What the answer says to browsers: name, value, name, value …; null: nothing. */
    crossOrigin: readonly string[] | null;
  }
}
