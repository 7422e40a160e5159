import { chmodSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { isUnixAddress, type HttpAddress, type UnixAddress } from './http-address.ts';
import { HttpServerStartError, listenFailure } from './http-server-start-error.ts';
import { removeStaleSocket } from './socket-file.ts';

export interface HttpListener {
  readonly address: HttpAddress;
  /** Permissions of the file of a Unix socket, such as 0o660; only its owner can use it if absent. */
  readonly socketMode?: number;
  /** A socket that is bound or already listens, used instead of one at the address; closed when the server stops. */
  readonly descriptor?: number | undefined;
}

/**
 * Resolves with the address when the socket is bound. Does not use fastify's own `listen`, which opens a second server
 * without our limits for `localhost`.
 *
 * @throws HttpServerStartError with one sentence for the operator
 */
export async function listenHttp(server: Server, listener: HttpListener): Promise<HttpAddress> {
  const { address, descriptor } = listener;
  if (descriptor !== undefined) return listenOnDescriptor(server, address, descriptor);
  if (!isUnixAddress(address)) return listen(server, address, whereOf(address));
  await removeStaleSocket(address.path);
  return listenOnPath(server, address, listener.socketMode);
}

/**
 * Checks that the address is free, without serving anybody. A descriptor is known to be.
 *
 * @throws HttpServerStartError with one sentence for the operator
 */
export async function checkHttpAddress(listener: HttpListener): Promise<void> {
  if (listener.descriptor !== undefined) return;
  const server = createServer().on('connection', (socket) => socket.destroy());
  await listenHttp(server, listener);
  await new Promise((resolve) => server.close(resolve));
}

function whereOf(address: HttpAddress): string {
  return isUnixAddress(address) ? address.path : `${address.host} port ${address.port}`;
}

/** The file of a socket that only its owner can use. */
const OWNER_ONLY_MASK = 0o177;

function listenOnPath(server: Server, address: UnixAddress, mode: number | undefined): Promise<HttpAddress> {
  // Node creates the file before this call returns, and accepts connections from then on. Other threads create files
  // meanwhile: a stricter mask for a moment harms them less than a wider one.
  const mask = process.umask(OWNER_ONLY_MASK);
  const listening = listen(server, address, address.path);
  process.umask(mask);
  if (server.listening && mode !== undefined) chmodSync(address.path, mode);
  return listening;
}

function listen(server: Server, address: HttpAddress, where: string): Promise<HttpAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(listenFailure(where, error.code ?? '', error.message)),
    );
    server.listen({ ...address }, () =>
      resolve(isUnixAddress(address) ? address : boundAddress(server, address)),
    );
  });
}

/** @param address that of the settings: a Unix socket's own path is not known, so the settings must name it */
function listenOnDescriptor(server: Server, address: HttpAddress, descriptor: number): Promise<HttpAddress> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string): void =>
      reject(new HttpServerStartError(`HTTP cannot listen on descriptor ${descriptor}: ${reason}`));
    server.once('error', (error: NodeJS.ErrnoException) => {
      // Another program has bound the same address, and was first to listen.
      if (error.code === 'EADDRINUSE') reject(listenFailure(whereOf(address), error.code));
      else refuse(`it is not an unused socket (${error.code ?? error.message})`);
    });
    server.listen({ fd: descriptor }, () => {
      const isTcp = findBound(server) !== undefined;
      if (isTcp) resolve(boundAddress(server, address));
      else if (isUnixAddress(address)) resolve(address);
      else refuse('it is not a TCP socket; for a Unix socket set http to unix: and its path');
    });
  });
}

function boundAddress(server: Server, otherwise: HttpAddress): HttpAddress {
  const bound = findBound(server);
  return bound === undefined ? otherwise : { host: bound.address, port: bound.port };
}

/** Returns undefined for a Unix socket. */
function findBound(server: Server): AddressInfo | undefined {
  const bound = server.address();
  return bound === null || typeof bound === 'string' ? undefined : bound;
}
