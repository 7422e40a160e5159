import { request as sendRequest, type IncomingMessage } from 'node:http';

/** Address and key of a service. */
export interface ServiceAccess {
  readonly url: string;
  readonly key: string;
}

const UNIX = 'unix:';

/** True for the address of a Unix socket on this machine: `unix:/run/zonewright/http.sock`. */
export function isSocketUrl(url: string): boolean {
  return url.startsWith(`${UNIX}/`);
}

/** Returns the options of a client: a service on a Unix socket is reached by another `fetch`. */
export function reachService({ url, key }: ServiceAccess): ServiceAccess & { readonly fetch?: typeof fetch } {
  if (!isSocketUrl(url)) return { url, key };
  return { url: 'http://localhost', key, fetch: createSocketFetch(url.slice(UNIX.length)) };
}

/**
 * The part of `fetch` that our client uses, over a Unix socket: text bodies, any answers, a signal, no redirects. Node's
 * own `fetch` has no way to name a socket.
 */
function createSocketFetch(socketPath: string): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', signal, body } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
    const options = {
      socketPath,
      path: pathname + search,
      method,
      headers: { host: 'localhost', ...headers },
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = sendRequest({ ...options, ...(signal ? { signal } : {}) }, resolve);
      // An expired signal is reported as by `fetch`.
      request.once('error', (error) => reject(signal?.aborted === true ? asError(signal.reason) : error));
      request.end(typeof body === 'string' ? body : undefined);
    });
    return toResponse(message, signal);
  };
}

function toResponse(message: IncomingMessage, signal: AbortSignal | null | undefined): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = message.statusCode ?? 0;
  // A response without content must be made without a body.
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) message.resume();
  return new Response(hasBody ? ReadableStream.from(readBody(message, signal)) : null, { status, headers });
}

async function* readBody(
  message: IncomingMessage,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of message) yield piece as Buffer;
  } catch (error) {
    throw signal?.aborted === true ? asError(signal.reason) : error;
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
