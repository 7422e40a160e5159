// The file of a Unix socket. It outlives a process that is killed, so a start removes a file on which nobody listens.
import { lstatSync, unlinkSync, type Stats } from 'node:fs';
import { connect } from 'node:net';
import { HttpServerStartError } from './http-server-start-error.ts';

/** The longest path of a Unix socket, in octets, on the system with the shortest (sun_path of macOS). */
export const MAX_SOCKET_PATH = 103;

/**
 * Removes the file of a socket whose process has ended. Two services that start on one path in the same moment may both
 * succeed; the data folder, which they share then, is locked.
 *
 * @throws HttpServerStartError if a process listens on it, or if it is another kind of file
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const file = findFile(path);
  if (file === undefined) return;
  if (!file.isSocket()) throw refusal(path, 'it exists and is not a socket');
  const code = await tryConnecting(path);
  if (code === undefined || code === 'EAGAIN') throw refusal(path, 'another process listens there');
  if (code === 'ENOENT') return;
  if (code !== 'ECONNREFUSED') throw refusal(path, `it exists and cannot be examined (${code})`);
  try {
    unlinkSync(path);
  } catch (error) {
    throw refusal(path, `the socket of an ended process cannot be removed (${codeOf(error)})`);
  }
}

/** Identifies a socket's file, so that only the service that made it removes it. */
export function socketFileId(path: string): string | undefined {
  const file = findFile(path);
  return file?.isSocket() === true ? `${file.dev}:${file.ino}` : undefined;
}

/** @param id as {@link socketFileId} returned it */
export function removeSocketFile(path: string, id: string | undefined): void {
  if (id === undefined || socketFileId(path) !== id) return;
  try {
    unlinkSync(path);
  } catch {
    // The folder may be read-only by now; the next start finds a stale socket.
  }
}

function findFile(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw refusal(path, `it cannot be examined (${codeOf(error)})`);
  }
}

/** Returns the code of the failure; undefined if somebody accepts connections. */
function tryConnecting(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => resolve(codeOf(error)));
  });
}

function refusal(path: string, reason: string): HttpServerStartError {
  return new HttpServerStartError(`HTTP cannot listen on ${path}: ${reason}`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
