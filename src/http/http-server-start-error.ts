/** The server could not start; the message is for the operator. */
export class HttpServerStartError extends Error {
  override readonly name = 'HttpServerStartError';
}

/** @param where the address or descriptor @param code of the system's error */
export function listenFailure(where: string, code: string, otherwise = code): HttpServerStartError {
  return new HttpServerStartError(`HTTP cannot listen on ${where}: ${problems[code] ?? otherwise}`);
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use by another program',
  EACCES: 'this user is not allowed to open it',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
  ENOENT: 'its folder does not exist',
};
