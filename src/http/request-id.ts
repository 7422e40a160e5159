// Names for requests, so that a client's report can be found in the log.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns a function that makes names: process, then a count. */
export function createRequestIdSource(): () => string {
  const processId = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${processId}-${count.toString(36)}`;
  };
}

/** The client's own, if it is well-formed. */
export function findRequestId(message: IncomingMessage): string | undefined {
  const given = message.headers['x-request-id'];
  return typeof given === 'string' && wellFormedId.test(given) ? given : undefined;
}
