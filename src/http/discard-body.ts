import type { IncomingMessage } from 'node:http';
import { refusedBody } from './limits.ts';

/** Reads and discards the body of a request that is already answered; after a limit, closes the connection. */
export function discardBody(message: IncomingMessage): void {
  let roomBytes = refusedBody.maxBytes;
  message.on('data', (chunk: Buffer) => {
    roomBytes -= chunk.length;
    if (roomBytes < 0) message.destroy();
  });
  const timer = setTimeout(() => message.destroy(), refusedBody.timeoutMs);
  message.once('close', () => clearTimeout(timer));
}

/** Returns true if the request announces a body that has not arrived completely. */
export function hasBodyToCome(message: IncomingMessage): boolean {
  if (message.complete) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
