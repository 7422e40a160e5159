import type { IncomingMessage } from 'node:http';
import { refusedBody } from './limits.ts';

/** For a request that was answered before its body had come: reads on for a while, then cuts the connection. */
export function discardBody(message: IncomingMessage): void {
  let roomBytes = refusedBody.maxBytes;
  message.on('data', (chunk: Buffer) => {
    roomBytes -= chunk.length;
    if (roomBytes < 0) message.destroy();
  });
  const timer = setTimeout(() => message.destroy(), refusedBody.timeoutMs);
  message.once('close', () => clearTimeout(timer));
}

/** Whether a body is announced that has not come yet. */
export function hasBodyToCome(message: IncomingMessage): boolean {
  if (message.complete) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
