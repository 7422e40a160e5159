import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** All members that a body of the HTTP interface may have; tests read those they expect. */
export interface ReplyBody {
  readonly error?: string;
  readonly status?: number | string;
  readonly code?: string;
  readonly field?: string;
  readonly domain?: DomainBody;
  readonly domains?: readonly DomainBody[];
  readonly record?: RecordBody;
  readonly records?: readonly RecordBody[];
  readonly meta?: {
    readonly total: number;
    readonly links: { readonly next: string; readonly prev: string };
  };
  readonly dns_soa?: { readonly nsprimary: string; readonly email: string };
  readonly dns_sec?: readonly string[];
  readonly account?: { readonly id: string; readonly name: string; readonly email: string };
  readonly accounts?: readonly object[];
  readonly key?: {
    readonly id: string;
    readonly key: string;
    readonly scope: string;
    readonly date_expires?: string | null;
  };
  readonly keys?: readonly { readonly id: string; readonly scope: string }[];
}

export interface DomainBody {
  readonly domain: string;
  readonly date_created: string;
  readonly dns_sec: string;
  readonly withheld?: readonly string[];
}

export interface RecordBody {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly priority: number;
  readonly ttl: number;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly text: string;
  /** The parsed body; an empty object if there was none. */
  readonly json: ReplyBody;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** A key to use instead of the client's; null sends none. */
  readonly key?: string | null;
  readonly timeoutMs?: number;
}

/** No answer came, so it is unknown whether the request took effect. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Timeout for a complete answer: a whole zone takes seconds, the rest is for a busy machine. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Rule 8: never 401, 415 or 422; and 500 is our bug. Any test that receives one fails. */
const forbiddenStatuses = [401, 415, 422, 500];

/** A client that keeps its connections open and returns answers as received. */
export class HttpClient {
  readonly address: string;
  readonly key: string;
  private readonly agent: Agent;

  constructor(address: string, key: string, agent = new Agent({ keepAlive: true, maxSockets: 64 })) {
    this.address = address;
    this.key = key;
    this.agent = agent;
  }

  /** The same connections with another key. */
  withKey(key: string): HttpClient {
    return new HttpClient(this.address, key, this.agent);
  }

  get(path: string, options?: RequestOptions): Promise<HttpReply> {
    return this.request('GET', path, undefined, options);
  }
  post(path: string, body: unknown, options?: RequestOptions): Promise<HttpReply> {
    return this.request('POST', path, body, options);
  }
  put(path: string, body: unknown, options?: RequestOptions): Promise<HttpReply> {
    return this.request('PUT', path, body, options);
  }
  patch(path: string, body: unknown, options?: RequestOptions): Promise<HttpReply> {
    return this.request('PATCH', path, body, options);
  }
  delete(path: string, options?: RequestOptions): Promise<HttpReply> {
    return this.request('DELETE', path, undefined, options);
  }

  /** Sends strings and bytes unchanged without a Content-Type; other values as JSON. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<HttpReply> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = body === undefined || raw ? body : JSON.stringify(body);
    const chunked = options.headers?.['transfer-encoding'] !== undefined;
    const key = options.key === undefined ? this.key : options.key;
    const headers: Record<string, string> = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...(payload === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
      ...options.headers,
    };
    const reply = await this.send(method, path, headers, payload, options.timeoutMs ?? REQUEST_TIMEOUT_MS);
    if (forbiddenStatuses.includes(reply.status)) {
      throw new Error(
        `rule 8: ${method} ${path} ${String(payload).slice(0, 200)} was answered ${reply.status} ${reply.text}`,
      );
    }
    return reply;
  }

  close(): void {
    this.agent.destroy();
  }

  private send(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload: string | Uint8Array | undefined,
    timeoutMs: number,
  ): Promise<HttpReply> {
    const [host, port] = this.address.split(':');
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new Unanswered(`${method} ${path}: ${error.message}`));
      const outgoing = request({ agent: this.agent, host, port, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: parseBody(text),
          });
        });
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        fail(error);
      });
      outgoing.on('socket', (socket) => {
        if (!socket.listeners('error').includes(ignoreLateError)) socket.on('error', ignoreLateError);
      });
      outgoing.end(payload);
    });
  }
}

/**
 * Node removes its own listener when an answer has ended, even if the write of the body fails in the same turn: the error
 * would end the process although the answer is complete.
 */
function ignoreLateError(): void {}

function parseBody(text: string): ReplyBody {
  try {
    return text === '' ? {} : (JSON.parse(text) as ReplyBody);
  } catch {
    return {};
  }
}
