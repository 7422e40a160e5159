// Request ids, by which a client's report can be found in the log.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns a function that creates ids from a process id and a counter. */
export function createRequestIdSource(): () => string {
  const processId = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${processId}-${count.toString(36)}`;
  };
}

/** Returns the id that the client sent, if it is well-formed. */
export function findRequestId(message: IncomingMessage): string | undefined {
  const given = message.headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : undefined;
}
