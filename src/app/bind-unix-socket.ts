import { chmodSync } from 'node:fs';
import { listenFailure } from '../http/http-server-start-error.ts';
import { removeSocketFile, removeStaleSocket, socketFileId } from '../http/socket-file.ts';
import {
  AF_UNIX,
  errnoName,
  SOCK_CLOEXEC,
  SOCK_NONBLOCK,
  SOCK_STREAM,
  type Libc,
} from '../nameserver/udp/libc.ts';

export interface BoundSocket {
  readonly descriptor: number;
  /** Removes the file, unless it is that of another service by now. */
  readonly removeFile: () => void;
}

/**
 * Binds a Unix socket that refuses connections until a process listens on it. Its permissions are set by then.
 *
 * @throws HttpServerStartError with one sentence for the operator
 */
export async function bindUnixSocket(libc: Libc, path: string, mode: number): Promise<BoundSocket> {
  await removeStaleSocket(path);
  const failure = (): Error => listenFailure(path, errnoName(libc.lastErrno()));
  const descriptor = libc.socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw failure();
  let id: string | undefined;
  try {
    const address = unixAddress(path);
    if (libc.bind(descriptor, address, address.length) < 0) throw failure();
    id = socketFileId(path);
    chmodSync(path, mode);
  } catch (error) {
    libc.close(descriptor);
    removeSocketFile(path, id);
    throw error;
  }
  return { descriptor, removeFile: () => removeSocketFile(path, id) };
}

/** struct sockaddr_un: the family, and the path with a zero octet at its end. */
function unixAddress(path: string): Uint8Array {
  const text = Buffer.from(path);
  const address = new Uint8Array(2 + text.length + 1);
  address[0] = AF_UNIX;
  address.set(text, 2);
  return address;
}
