// A minimal HTTP client for setup, checks and byte-exact replays. It is not one of the clients under test.

import { Agent, request as httpRequest } from 'node:http';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; empty if it is not JSON. */
  readonly body: ApiBody;
}

/** All members that any response contains. */
export interface ApiBody {
  readonly dns_sec?: readonly string[];
  readonly domain?: { readonly domain: string; readonly date_created: string; readonly dns_sec: string };
  readonly record?: ApiRecord;
  readonly records?: readonly ApiRecord[];
}

export interface ApiRecord {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly priority: number;
  readonly ttl: number;
}

export interface Api {
  /** Sends one request; `body` is JSON unless it is already text. `headers` replace the usual ones of the same name. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiResponse>;
  /** Sends, and fails unless the status is one of 200, 201 and 204. */
  mustSend(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  close(): void;
}

/** The DNSKEY and DS records of a domain. */
export async function listKeys(api: Api, domain: string): Promise<readonly string[]> {
  return (await api.mustSend('GET', `/v2/domains/${domain}/dnssec`)).body.dns_sec ?? [];
}

/** Talks to `url` (no path) with one key over kept-alive connections. */
export function createApi(url: string, key: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send: Api['send'] = (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const outgoing = httpRequest(
        url + path,
        {
          method,
          agent,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(text === undefined
              ? {}
              : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        (incoming) => {
          let received = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: received,
              body: parseBody(received),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  return {
    send,
    mustSend: async (method, path, body) => {
      const response = await send(method, path, body);
      if (![200, 201, 204].includes(response.status))
        throw new Error(
          `${method} ${path} ${JSON.stringify(body)} answered ${response.status} ${response.text}`,
        );
      return response;
    },
    close: () => agent.destroy(),
  };
}

function parseBody(text: string): ApiBody {
  try {
    return JSON.parse(text) as ApiBody;
  } catch {
    return {};
  }
}
